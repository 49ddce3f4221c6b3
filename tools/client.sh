#!/bin/sh
# Prints the path of the Claude Code client that the end-to-end tests drive; installs it when it is not there yet.
# Exit code 3: npm is missing. Exit code 1: npm could not install it.
set -eu

version=2.1.325

package=@anthropic-ai/claude-code
cache="${XDG_CACHE_HOME:-$HOME/.cache}/yourturn/client-$version"

say() { printf 'client: %s\n' "$*" >&2; }

# The program lies in a package of its own for each platform; npm before 10 takes the musl one along, hence the try.
# The home is borrowed: the client writes into the one it finds.
find_program() {
    for candidate in node_modules/@anthropic-ai/claude-code-*/claude; do
        env -i HOME="$PWD/home" PATH="$PATH" "$candidate" --version 2>/dev/null | grep -qF "$version" || continue
        echo "$candidate"
        return
    done
    say "$package@$version has no program that runs on this platform"
    return 1
}

install_into() {
    cd "$1"
    npm install --prefix . --no-audit --no-fund --ignore-scripts --loglevel=error "$package@$version" >&2 || {
        say "npm could not install $package@$version"
        return 1
    }
    program=$(find_program)
    rm -rf home
    ln -s "$program" claude
}

# rename(2) refuses a folder that is there and not empty: of two that install at once, the first one wins. mv would nest.
publish() {
    node -e 'require("fs").renameSync(process.argv[1], process.argv[2])' "$1" "$cache" 2>/dev/null || [ -x "$cache/claude" ]
}

if [ ! -x "$cache/claude" ]; then
    command -v npm >/dev/null || { say "npm is missing: install Node.js to run the end-to-end tests"; exit 3; }
    say "installing $package@$version (about 350 MB, once)"
    mkdir -p "${cache%/*}"
    fresh=$(mktemp -d "$cache.XXXXXX")
    trap 'rm -rf "$fresh"' EXIT
    trap 'exit 1' HUP INT TERM
    (install_into "$fresh")
    publish "$fresh"
fi
printf '%s\n' "$cache/claude"
