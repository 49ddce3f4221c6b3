#!/bin/sh
# Prints the path of the Claude Code client that the end-to-end tests drive; installs it when it is not there yet.
# YOURTURN_CLIENT=2.1.197 chooses another version.
#   tools/client.sh             installs it, if need be
#   tools/client.sh --installed never installs it: a test must not wait for a download
#   tools/client.sh --version   prints the version that is chosen
# Exit code 3: npm is missing. Exit code 4: it is not installed. Exit code 1: npm could not install it.
set -eu

version=${YOURTURN_CLIENT:-2.1.325}

package=@anthropic-ai/claude-code
cache="${XDG_CACHE_HOME:-$HOME/.cache}/yourturn/client-$version"

say() { printf 'client: %s\n' "$*" >&2; }

# Each platform has its own package, and npm before 10 also installs the one for musl: the one that runs is taken.
# With a temporary HOME, because the client writes into it.
find_program() {
    for candidate in node_modules/@anthropic-ai/claude-code-*/claude; do
        env -i HOME="$PWD/home" PATH="$PATH" "$candidate" --version 2>/dev/null | grep -qF "$version" || continue
        echo "$candidate"
        return
    done
    say "$package@$version has no program that runs on this platform"
    return 1
}

# Give up on an unreachable registry after seconds: by default, npm tries for several minutes.
install_into() {
    cd "$1"
    npm install --prefix . --no-audit --no-fund --ignore-scripts --loglevel=error --fetch-timeout=60000 \
        --fetch-retries=1 --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=2000 "$package@$version" >&2 || {
        say "npm could not install $package@$version"
        return 1
    }
    program=$(find_program)
    rm -rf home
    ln -s "$program" claude
}

# rename(2) fails if the target exists and is not empty: of two installations at once, the first wins. mv would move
# the second into the first.
publish() {
    node -e 'require("fs").renameSync(process.argv[1], process.argv[2])' "$1" "$cache" 2>/dev/null || [ -x "$cache/claude" ]
}

install() {
    command -v npm >/dev/null || { say "npm is missing: install Node.js to run the end-to-end tests"; exit 3; }
    say "installing $package@$version (about 350 MB, once)"
    mkdir -p "${cache%/*}"
    fresh=$(mktemp -d "$cache.XXXXXX")
    trap 'rm -rf "$fresh"' EXIT
    trap 'exit 1' HUP INT TERM
    (install_into "$fresh")
    publish "$fresh"
}

# It becomes part of a path and of an argument of npm.
case $version in
*[!0-9.]* | .* | "") say "YOURTURN_CLIENT=$version is not a version such as 2.1.325"; exit 2 ;;
esac
case ${1:-} in
--version) printf '%s\n' "$version"; exit ;;
--installed) [ -x "$cache/claude" ] || { say "$version is not installed; tools/client.sh installs it"; exit 4; } ;;
*) [ -x "$cache/claude" ] || install ;;
esac
printf '%s\n' "$cache/claude"
