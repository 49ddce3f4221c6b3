#!/bin/sh
# Installs the desktop without a screen that tests run in and the pictures are drawn in (Debian, Ubuntu; needs root).
set -eu

packages="dbus-daemon xvfb xfce4-panel openbox x11-utils xdotool wmctrl imagemagick xterm tmux
    librsvg2-bin fontconfig fonts-dejavu-core fonts-inter"

say() { printf 'desktop: %s\n' "$*" >&2; }

# shellcheck disable=SC2086 - a list of words
dpkg --status $packages >/dev/null 2>&1 && exit 0
command -v apt-get >/dev/null || { say "no apt-get here; install what these are called there: $packages"; exit 1; }
[ "$(id -u)" = 0 ] || { say "needs root: sudo $0"; exit 1; }
# shellcheck disable=SC2086 - a list of words
{ apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $packages; } >/dev/null
say "done"
