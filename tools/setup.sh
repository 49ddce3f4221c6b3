#!/bin/sh
# Makes .venv from requirements.lock, or brings it up to date; does nothing when it is. Needs only Python 3.11 or newer.
# Installed hooks run .venv/bin/python at any moment: a .venv that works keeps its Python, whichever is first on PATH
# now, and is only added to, never emptied.
set -eu
cd "$(dirname "$0")/.."

say() { printf 'setup: %s\n' "$*" >&2; }
# On a terminal the line stays in place; in a log there is one for each step.
if [ -t 2 ]; then
    step() { printf '\r\033[Ksetup: %s' "$*" >&2; }
    progress() { step "$@"; }
    over() { printf '\r\033[K' >&2; }
else
    step() { say "$@"; }
    progress() { :; }
    over() { :; }
fi

version() { "$1" -c 'import sys; print(*sys.version_info[:3], sep=".")' 2>/dev/null; }
is_new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

find_python() {
    for candidate in ${PYTHON:-} python3 python3.14 python3.13 python3.12 python3.11; do
        is_new_enough "$candidate" && echo "$candidate" && return
    done
    say "no Python 3.11 or newer found; install one, or name it: make PYTHON=/path/to/python3"
    return 1
}

make_venv() {
    step "making .venv with Python $(version "$1")"
    "$@" >/dev/null 2>&1 && return
    # Debian and Ubuntu ship Python without ensurepip.
    if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
        step "installing python3-venv"
        { apt-get update && apt-get install -y python3-venv; } >/dev/null
        "$@" && return
    fi
    over
    say "$1 cannot make a virtual environment; on Debian or Ubuntu: sudo apt-get install python3-venv"
    return 1
}

# What pip tells goes into a log, and as a number on the screen; what went wrong is shown.
pip() {
    rm -f .venv/failed
    { .venv/bin/python -m pip --disable-pip-version-check --no-input "$@" 2>&1 || touch .venv/failed; } | count
    [ -e .venv/failed ] || return 0
    over
    grep -v '^WARNING: ' .venv/setup.log | tail -n 15 >&2
    say "pip could not do that; all it said is in .venv/setup.log"
    return 1
}

count() {
    seen=0
    while IFS= read -r line; do
        printf '%s\n' "$line" >> .venv/setup.log
        case $line in
            Collecting*|Processing*|Ignoring*|Requirement*)
                seen=$((seen + 1))
                [ "$seen" -gt "$packages" ] || progress "getting packages: $seen of $packages" ;;
            Installing*) progress "installing packages" ;;
        esac
    done
}

wanted() { echo "$(version .venv/bin/python) $(cat requirements*.lock pyproject.toml | cksum)"; }

if is_new_enough .venv/bin/python; then
    if [ -n "${PYTHON:-}" ] && [ "$(version .venv/bin/python)" != "$(version "$PYTHON")" ]; then
        say ".venv has Python $(version .venv/bin/python), which installed hooks may run; for another, remove .venv first"
        exit 1
    fi
    [ "$(cat .venv/ready 2>/dev/null)" != "$(wanted)" ] || exit 0
    # Without pip after an upgrade of the system's Python, or if the first setup was interrupted.
    .venv/bin/python -m pip --version >/dev/null 2>&1 || make_venv .venv/bin/python -m venv .venv
    step "updating .venv"
else
    python=$(find_python)
    make_venv "$python" -m venv --clear .venv
fi
began=$(date +%s)
packages=$(grep -c '^[a-z].*==' requirements.lock || true)
: > .venv/setup.log
step "getting $packages packages (about half a minute)"
pip install --require-hashes --requirement requirements.lock
step "installing yourturn"
packages=0
pip install --require-hashes --no-deps --no-build-isolation --requirement requirements-nodeps.lock
pip download --require-hashes --no-deps --requirement requirements-neighbour.lock --dest .venv/neighbour
pip install --no-deps --no-build-isolation --editable .  # as a plain path: a finder would cost each start 20 ms
wanted > .venv/ready
over
say "done in $(($(date +%s) - began)) s"
