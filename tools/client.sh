#!/bin/sh
# Prints the path of the Claude Code client that the end-to-end tests drive; installs it when it is not there yet.
# YOURTURN_CLIENT=2.1.197 chooses another version.
#   tools/client.sh             installs it, if need be
#   tools/client.sh --installed never installs it: a test must not wait for a download
#   tools/client.sh --version   prints the version that is chosen
# Exit code 3: npm is missing. Exit code 4: it is not installed. Exit code 1: npm could not install it.
set -eu

version=${YOURTURN_CLIENT:-2.1.325}

who=client
packages=@anthropic-ai/claude-code@$version
candidates='node_modules/@anthropic-ai/claude-code-*/claude'
cache="${XDG_CACHE_HOME:-$HOME/.cache}/yourturn/client-$version"
program=claude
size=350
. "${0%/*}/npm.sh"

# It becomes part of a path and of an argument of npm.
case $version in
*[!0-9.]* | .* | "") say "YOURTURN_CLIENT=$version is not a version such as 2.1.325"; exit 2 ;;
esac
case ${1:-} in
--version) printf '%s\n' "$version"; exit ;;
--installed) is_installed || { say "$version is not installed; tools/client.sh installs it"; exit 4; } ;;
*) is_installed || install ;;
esac
printf '%s\n' "$cache/$program"
