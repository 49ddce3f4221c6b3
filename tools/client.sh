#!/bin/sh
# Prints the path of the Claude Code client that the end-to-end tests drive; installs it when it is not there yet.
# YOURTURN_CLIENT=2.1.197 chooses another version.
#   tools/client.sh             installs it, if need be
#   tools/client.sh --installed only looks: nobody should wait for a download inside a test
#   tools/client.sh --version   prints the version that is chosen
# Exit code 3: npm is missing. Exit code 4: it is not installed. Exit code 1: npm could not install it.
set -eu

version=${YOURTURN_CLIENT:-2.1.325}

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

# A registry that cannot be reached is given up after seconds: npm's own patience is several minutes.
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

# rename(2) refuses a folder that is there and not empty: of two that install at once, the first one wins. mv would nest.
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

# It becomes part of a path and of a word for npm.
case $version in
*[!0-9.]* | .* | "") say "YOURTURN_CLIENT=$version is no version, such as 2.1.325"; exit 2 ;;
esac
case ${1:-} in
--version) printf '%s\n' "$version"; exit ;;
--installed) [ -x "$cache/claude" ] || { say "$version is not installed; tools/client.sh installs it"; exit 4; } ;;
*) [ -x "$cache/claude" ] || install ;;
esac
printf '%s\n' "$cache/claude"
