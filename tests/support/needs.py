"""Programs that a test needs and a machine may lack: then it says so loudly, or fails where all must run."""

from __future__ import annotations

import os
import shutil

import pytest

E2E, DESKTOP = "YOURTURN_REQUIRE_E2E", "YOURTURN_REQUIRE_DESKTOP"
# What makes a missing program a failure; the others are extras on any machine.
REQUIRED = {
    "tmux": E2E, "ssh": E2E, "ssh-keygen": E2E, "sshd": E2E, "ip": E2E,
    "dbus-daemon": DESKTOP, "Xvfb": DESKTOP, "xfce4-panel": DESKTOP, "xdotool": DESKTOP,
    "wmctrl": DESKTOP, "import": DESKTOP, "xterm": DESKTOP, "openbox": DESKTOP, "xprop": DESKTOP,
    "rsvg-convert": DESKTOP, "dunst": DESKTOP, "dunstctl": DESKTOP, "chromium": DESKTOP, "chromedriver": DESKTOP,
    "mosquitto": E2E, "openssl": E2E,
}  # fmt: skip
HINT = "tools/desktop.sh installs a desktop"
SERVERS = "/usr/sbin:/usr/local/sbin:/opt/homebrew/sbin"
SKIPPED = "NOT TESTED, missing here: "


def need(*programs: str) -> None:
    lacking = [program for program in programs if found(program) is None]
    if any(is_required(program) for program in lacking):
        pytest.fail(f"{', '.join(lacking)} is missing", pytrace=False)
    if lacking:
        hint = f" ({HINT})" if any(REQUIRED.get(program) == DESKTOP for program in lacking) else ""
        pytest.skip(f"{SKIPPED}{', '.join(lacking)}{hint}")


def found(program: str) -> str | None:
    """Also where servers are, which not everybody has on PATH."""
    return shutil.which(program) or shutil.which(program, path=SERVERS)


def is_required(program: str) -> bool:
    return program in REQUIRED and os.environ.get(REQUIRED[program]) == "1"


def missing(reason: str) -> list[str]:
    """The programs that a reason to skip names; none if it is another reason."""
    named = reason.partition(SKIPPED)[2].partition(" (")[0]
    return [word.strip(" ')") for word in named.split(",") if word.strip(" ')")]
