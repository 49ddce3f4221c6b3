#!/bin/sh
# Prints the path of a coding agent other than Claude Code that the end-to-end tests drive; installs it when it is not
# there yet.
#   tools/agents.sh NAME             installs it, if need be
#   tools/agents.sh --installed NAME never installs it: a test must not wait for a download
#   tools/agents.sh --version NAME   prints the version that the tests are written for
#   tools/agents.sh --names          prints all names
#   tools/agents.sh --all            installs all; says in red which ones cannot be had, and that is no failure
# Exit code 2: there is no such agent. Code 3: npm is missing. Code 4: it is not installed. Code 1: npm could not
# install it.
set -eu

here=${0%/*}
who=agents
names=$(ls "$here/agents")

choose() {
    program=$1 candidates="node_modules/.bin/$1"
    case " $(echo $names) " in
    *" $1 "*) . "$here/agents/$1" ;;
    *) say "there is no agent $1; there are: $(echo $names)"; exit 2 ;;
    esac
    cache="${XDG_CACHE_HOME:-$HOME/.cache}/yourturn/agent-$1-$version"
}

install_all() {
    for name in $names; do
        "$here/agents.sh" "$name" >/dev/null || printf '\033[1;31m%s: %s WILL NOT BE TESTED\033[0m\n' "$who" "$name" >&2
    done
}

. "$here/npm.sh"
case ${1:-} in
--names) printf '%s\n' $names; exit ;;
--all) install_all; exit ;;
--version) choose "${2:-}"; printf '%s\n' "$version"; exit ;;
--installed)
    choose "${2:-}"
    is_installed || { say "$2 $version is not installed; tools/agents.sh $2 installs it"; exit 4; }
    ;;
*) choose "${1:-}"; is_installed || install ;;
esac
printf '%s\n' "$cache/$program"
