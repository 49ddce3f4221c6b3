#!/bin/sh
# Installs a desktop that needs no screen, for the tests and for drawing the pictures (Debian, Ubuntu; needs root).
set -eu

packages="dbus-daemon xvfb xfce4-panel dunst openbox x11-utils xdotool wmctrl imagemagick xterm tmux
    librsvg2-bin fontconfig fonts-dejavu-core fonts-inter chromium chromium-driver"

say() { printf 'desktop: %s\n' "$*" >&2; }

# shellcheck disable=SC2086 - a list of words
dpkg --status $packages >/dev/null 2>&1 && exit 0
command -v apt-get >/dev/null || { say "apt-get not found; install these packages with your package manager: $packages"; exit 1; }
[ "$(id -u)" = 0 ] || { say "needs root: sudo $0"; exit 1; }
# shellcheck disable=SC2086 - a list of words
{ apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $packages; } >/dev/null
say "done"
