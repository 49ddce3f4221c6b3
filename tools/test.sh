#!/bin/sh
# All checks and all tests. Arguments go to pytest: tools/test.sh -k law
# YOURTURN_CLIENT=2.1.197 chooses the version of the client that the end-to-end tests drive.
set -eu
cd "$(dirname "$0")/.."

say() { printf 'test: %s\n' "$*" >&2; }
pytest() { .venv/bin/python -m pytest --quiet --dist worksteal "$@"; }
# What is compiled once is compiled for all: some machines forbid to keep it, and then each worker takes 9 s to begin.
unset PYTHONDONTWRITEBYTECODE

# Before the workers start, so that none of them waits for a download and times out.
install_client() {
    if tools/client.sh >/dev/null; then
        say "end to end with Claude Code $(tools/client.sh --version)"
    else
        say "NO CLIENT for the end-to-end tests; see above"
    fi
}

if [ "$#" -gt 0 ]; then
    pytest "$@"
    exit
fi
# The types are checked on one core. Meanwhile the other one compiles the tests, for the workers that begin then.
pytest --collect-only >/dev/null 2>&1 &
trap wait EXIT
.venv/bin/ruff check --quiet .
.venv/bin/ruff format --quiet --check .
.venv/bin/mypy --no-error-summary
wait
# The end-to-end tests check how fast states change, so nothing else runs beside them. Most of the time they wait for
# the client, so there are more workers than cores.
pytest --numprocesses 4 -m "not e2e and not series"
install_client
pytest --numprocesses 4 -m "e2e and not series" tests/e2e
