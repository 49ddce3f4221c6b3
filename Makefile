.DEFAULT_GOAL := help
N ?= 10
.PHONY: help setup run test steady lint bench simulate power honesty torture pictures lock

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Make .venv from the lock file (every other target does this first)
	@tools/setup.sh

run: setup ## Show the bar
	@.venv/bin/yourturn up --demo || [ $$? -eq 130 ] # Ctrl-C is how one leaves

test: setup ## Run all checks and all tests
	@tools/test.sh

steady: ## Run the suite N times in fresh clones, every other time on a busy machine: make steady N=10
	@tools/steady.sh $(N)

lint: setup ## Check style and types
	@.venv/bin/ruff check .
	@.venv/bin/ruff format --check .
	@.venv/bin/mypy

bench: setup ## Measure everything side by side and print one table (about ten minutes; --quick: python -m bench --help)
	@.venv/bin/python -m bench

simulate: setup ## Play 5,000 random programs of the client and ask whether every light is right: make simulate N=50000
	@.venv/bin/python -m simulator $(if $(filter command,$(firstword $(origin N))),--programs $(N))

power: setup ## Break the law in every way we know, and count the programs until the simulator finds it
	@.venv/bin/python -m simulator.power

honesty: setup ## Play programs on the model of the client and on the real one, and compare what both show
	@tools/client.sh >/dev/null
	@YOURTURN_HONESTY=all tools/test.sh --numprocesses 3 tests/e2e/test_the_simulator_is_honest.py

torture: setup ## Attack hook and watcher in every way we know, some minutes: make torture ATTACK=kills
	@.venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: \
		--requirement requirements-fuzz.lock || echo "torture: atheris cannot be installed here" >&2
	@.venv/bin/python -m torture $(if $(ATTACK),--only $(ATTACK))

pictures: setup ## Draw docs/ anew: tray, terminal, status, line, menubar (first, as root: tools/desktop.sh)
	@.venv/bin/python -m tools.pictures

lock: setup ## Write the lock files anew, but for requirements-nodeps.lock (needs uv)
	@uv pip compile pyproject.toml --all-extras --group dev --universal --python-version 3.11 \
		--generate-hashes --no-header --no-emit-index-url --upgrade --quiet --output-file requirements.lock
	@uv pip compile --group fuzz --universal --python-version 3.11 \
		--generate-hashes --no-header --no-emit-index-url --upgrade --quiet --output-file requirements-fuzz.lock
	@uv pip compile --group neighbour --universal --python-version 3.11 \
		--generate-hashes --no-header --no-emit-index-url --upgrade --quiet --output-file requirements-neighbour.lock
