#!/bin/sh
# All checks and all tests. Extra words go to pytest: tools/test.sh -k law
set -eu
cd "$(dirname "$0")/.."

pytest() { .venv/bin/python -m pytest --quiet --dist worksteal "$@"; }

if [ "$#" -gt 0 ]; then
    pytest "$@"
    exit
fi
.venv/bin/ruff check --quiet .
.venv/bin/ruff format --quiet --check .
.venv/bin/mypy --no-error-summary
# The end-to-end tests hold our verdicts to a clock, so nothing else runs beside them; most of the time they wait for
# the client, hence more workers than cores.
pytest --numprocesses 4 -m "not e2e"
pytest --numprocesses 3 -m e2e
