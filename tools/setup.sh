#!/bin/sh
# Makes .venv from requirements.lock. Needs only Python 3.11 or newer; does nothing when it is up to date.
set -eu
cd "$(dirname "$0")/.."

say() { printf 'setup: %s\n' "$*" >&2; }

find_python() {
    for candidate in ${PYTHON:-} python3 python3.14 python3.13 python3.12 python3.11; do
        "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$candidate" && return
    done
    say "no Python 3.11 or newer found; install one, or name it: make PYTHON=/path/to/python3"
    return 1
}

make_venv() {
    "$1" -m venv --clear .venv >/dev/null 2>&1 && return
    # Debian and Ubuntu ship Python without ensurepip.
    if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
        say "installing python3-venv"
        { apt-get update && apt-get install -y python3-venv; } >/dev/null
        "$1" -m venv --clear .venv && return
    fi
    say "$1 cannot make a virtual environment; on Debian or Ubuntu: sudo apt-get install python3-venv"
    return 1
}

python=$(find_python)
want="$("$python" -c 'import sys; print(sys.version)' | tr '\n' ' ') $(cat requirements*.lock pyproject.toml | cksum)"
if [ "$(cat .venv/ready 2>/dev/null)" = "$want" ] && .venv/bin/python -c '' 2>/dev/null; then
    exit 0
fi
say "making .venv with $python (about half a minute)"
make_venv "$python"
pip() { .venv/bin/python -m pip --quiet --disable-pip-version-check "$@"; }
pip install --require-hashes --requirement requirements.lock
pip install --require-hashes --no-deps --no-build-isolation --requirement requirements-nodeps.lock
pip download --require-hashes --no-deps --requirement requirements-neighbour.lock --dest .venv/neighbour
pip install --no-deps --no-build-isolation --editable .  # as a plain path: a finder would cost each start 20 ms
printf '%s\n' "$want" > .venv/ready
say "done"
