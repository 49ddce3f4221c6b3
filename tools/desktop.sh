#!/bin/sh
# Installs the desktop without a screen that the tray is tested and drawn in (Debian, Ubuntu; needs root).
set -eu

packages="dbus-daemon xvfb xfce4-panel xdotool imagemagick fonts-dejavu-core"

say() { printf 'desktop: %s\n' "$*" >&2; }

command -v apt-get >/dev/null || { say "no apt-get here; install what these are called there: $packages"; exit 1; }
[ "$(id -u)" = 0 ] || { say "needs root: sudo $0"; exit 1; }
# shellcheck disable=SC2086 - a list of words
{ apt-get update && apt-get install -y --no-install-recommends $packages; } >/dev/null
say "done"
