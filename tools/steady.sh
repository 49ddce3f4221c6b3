#!/bin/sh
# Runs all tests several times in fresh clones, every other time beside two busy loops; exits 1 if anything failed.
#   tools/steady.sh 10                      the whole suite, as `make test` runs it
#   tools/steady.sh 10 -n 4 -m "not e2e"    the same with arguments for pytest
# Needs only Python 3.11 or newer and git.
set -eu
for python in ${PYTHON:-} "$(dirname "$0")/../.venv/bin/python" python3; do
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && exec "$python" "${0%.sh}.py" "$@"
done
echo "steady: no Python 3.11 or newer found" >&2
exit 1
