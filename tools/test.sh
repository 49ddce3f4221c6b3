#!/bin/sh
# All checks and all tests. Extra arguments go to pytest.
set -eu
cd "$(dirname "$0")/.."

.venv/bin/ruff check --quiet .
.venv/bin/ruff format --quiet --check .
.venv/bin/mypy --no-error-summary
# Most end-to-end tests wait for the client, so there are more workers than cores.
exec .venv/bin/python -m pytest --numprocesses "${YOURTURN_WORKERS:-4}" --dist worksteal --quiet "$@"
