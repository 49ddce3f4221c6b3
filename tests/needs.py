"""Programs that a test needs and a machine may lack: then it says so loudly, or fails where all must run."""

from __future__ import annotations

import os
import shutil

import pytest

E2E, DESKTOP = "YOURTURN_REQUIRE_E2E", "YOURTURN_REQUIRE_DESKTOP"
# What makes a missing program a failure; the others are extras on any machine.
REQUIRED = {
    "tmux": E2E, "dbus-daemon": DESKTOP, "Xvfb": DESKTOP, "xfce4-panel": DESKTOP, "xdotool": DESKTOP,
    "wmctrl": DESKTOP, "import": DESKTOP, "xterm": DESKTOP, "openbox": DESKTOP, "xprop": DESKTOP,
}  # fmt: skip
HINT = "tools/desktop.sh installs a desktop"


def need(*programs: str) -> None:
    missing = [program for program in programs if shutil.which(program) is None]
    if any(is_required(program) for program in missing):
        pytest.fail(f"{', '.join(missing)} is missing", pytrace=False)
    if missing:
        hint = f" ({HINT})" if any(REQUIRED.get(program) == DESKTOP for program in missing) else ""
        pytest.skip(f"NOT TESTED, missing here: {', '.join(missing)}{hint}")


def is_required(program: str) -> bool:
    return program in REQUIRED and os.environ.get(REQUIRED[program]) == "1"
