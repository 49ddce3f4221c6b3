# Sourced by tools that install a client: a package of npm in a folder of the cache, whole or not at all.
# They set `who` (for messages), `packages` (names with versions), `version`, `cache` (the folder), `program` (its name
# there) and `candidates` (where the program may lie), and call `install`.

say() { printf '%s: %s\n' "$who" "$*" >&2; }

is_installed() { [ -x "$cache/$program" ]; }

# Each platform may have its own package, and npm before 10 also installs the one for musl: the one that runs is taken.
# With a temporary HOME, because clients write into it.
find_program() {
    for candidate in $candidates; do
        env -i HOME="$PWD/home" PATH="$PATH" "$candidate" --version 2>/dev/null | grep -qF "$version" || continue
        echo "$candidate"
        return
    done
    say "$packages has no program that runs on this platform"
    return 1
}

# Give up on an unreachable registry after seconds: by default, npm tries for several minutes.
install_into() {
    cd "$1"
    # shellcheck disable=SC2086 # several words
    npm install --prefix . --no-audit --no-fund --ignore-scripts --loglevel=error --fetch-timeout=60000 \
        --fetch-retries=1 --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=2000 $packages >&2 || {
        say "npm could not install $packages"
        return 1
    }
    found=$(find_program)
    rm -rf home
    ln -s "$found" "$program"
}

# rename(2) fails if the target exists and is not empty: of two installations at once, the first wins. mv would move
# the second into the first.
publish() {
    node -e 'require("fs").renameSync(process.argv[1], process.argv[2])' "$1" "$cache" 2>/dev/null || is_installed
}

install() {
    command -v npm >/dev/null || { say "npm is missing: install Node.js to run the end-to-end tests"; exit 3; }
    say "installing $packages (about $size MB, once)"
    mkdir -p "${cache%/*}"
    fresh=$(mktemp -d "$cache.XXXXXX")
    trap 'rm -rf "$fresh"' EXIT
    trap 'exit 1' HUP INT TERM
    (install_into "$fresh")
    publish "$fresh"
}
