.DEFAULT_GOAL := help
N ?= 10
# Hints name the command as it was called: after `make -C FOLDER`, which says "w", that must work in another folder.
HERE := $(if $(findstring w,$(firstword -$(MAKEFLAGS))),$(CURDIR)/)
.PHONY: help setup run test test-clients steady races lint bench simulate power honesty torture pictures lock

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Make .venv from the lock file (every other target does this first)
	@tools/setup.sh

run: setup ## Show your agents, or a demo if there are none
	@$(HERE).venv/bin/yourturn up --demo || [ $$? -eq 130 ] # 130 is Ctrl-C, the normal way to quit

test: setup ## Run all checks and all tests
	@tools/test.sh

test-clients: setup ## Install the other coding agents that we know, and test with each; also every test that takes longer
	@tools/agents.sh --all
	@tools/client.sh >/dev/null
	@tools/test.sh --numprocesses 3 tests/e2e/agents tests/e2e/test_answers.py tests/e2e/test_answers_refused.py \
		tests/e2e/test_asking_agents.py
	@tools/test.sh --numprocesses 4 -m "series and not e2e" tests

steady: ## Run all tests N times in fresh clones, every other time on a busy machine: make steady N=10
	@tools/steady.sh $(N)

races: setup ## Race spawns for one name 50 times, and kill and resume a dispatcher 20 times: does anything run twice?
	@YOURTURN_RACES=50 YOURTURN_ROUNDS=20 tools/test.sh --numprocesses 2 tests/agency -k "any_moment or race_for_a_name"

lint: setup ## Check style and types
	@.venv/bin/ruff check .
	@.venv/bin/ruff format --check .
	@.venv/bin/mypy

bench: setup ## Measure everything side by side and print one table (about ten minutes; --quick: python -m bench --help)
	@.venv/bin/python -m bench

simulate: setup ## Simulate 5,000 random sessions and check every state that is shown: make simulate N=50000
	@.venv/bin/python -m simulator $(if $(filter command,$(firstword $(origin N))),--programs $(N))

power: setup ## Break the rules in every known way, and count the simulated sessions until that is noticed
	@.venv/bin/python -m simulator.power

honesty: setup ## Run a sample of simulated sessions on the real client too, and compare the states
	@tools/client.sh >/dev/null
	@YOURTURN_HONESTY=all tools/test.sh --numprocesses 3 tests/e2e/test_the_simulator_is_honest.py

torture: setup ## Attack hook and watcher in every known way, some minutes: make torture ATTACK=kills
	@.venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: \
		--requirement requirements-fuzz.lock || echo "torture: atheris cannot be installed here" >&2
	@.venv/bin/python -m torture $(if $(ATTACK),--only $(ATTACK))

pictures: setup ## Draw the pictures in docs/ again: film, tray, answer, terminal, status, line, menubar, web, phone (first, as root: tools/desktop.sh)
	@.venv/bin/python -m tools.pictures

lock: setup ## Write the lock files again, except requirements-nodeps.lock, and the Homebrew formula (needs uv)
	@uv pip compile pyproject.toml --all-extras --group dev --universal --python-version 3.11 \
		--generate-hashes --no-header --no-emit-index-url --upgrade --quiet --output-file requirements.lock
	@uv pip compile --group fuzz --universal --python-version 3.11 \
		--generate-hashes --no-header --no-emit-index-url --upgrade --quiet --output-file requirements-fuzz.lock
	@uv pip compile --group neighbour --universal --python-version 3.11 \
		--generate-hashes --no-header --no-emit-index-url --upgrade --quiet --output-file requirements-neighbour.lock
	@uv pip compile --group tools --universal --python-version 3.11 \
		--generate-hashes --no-header --no-emit-index-url --upgrade --quiet --output-file requirements-tools.lock
	@.venv/bin/python -m tools.formula
