"""Which front end is the right one here."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from statusbar import reader
from statusbar.statuses import Watcher

if TYPE_CHECKING:
    from collections.abc import Mapping

# The command of each front end, and the module it needs.
WORDS = {"menubar": "menubar", "tray": "tray", "terminal": "top"}
MODULES = {
    "menubar": ("statusbar.menubar", "rumps", "AppKit"),
    "tray": ("statusbar.tray", "dbus_fast"),
    "terminal": ("statusbar.terminal",),
}
PAUSE_S = 0.05
BUS = "org.freedesktop.DBus"
ASK = [
    "gdbus", "call", "--session", "--timeout", "2", "--dest", BUS, "--object-path", "/org/freedesktop/DBus",
    "--method", f"{BUS}.NameHasOwner", "org.kde.StatusNotifierWatcher",
]  # fmt: skip


def choose(wanted: str, possible: Mapping[str, bool]) -> str:
    """The one that was asked for; else the first that is possible. '' if none is: then a table must do."""
    if wanted in possible:
        return wanted
    return next((front for front, is_possible in possible.items() if is_possible), "")


def possible(env: Mapping[str, str], *, is_terminal: bool) -> dict[str, bool]:
    """In the order of preference."""
    return {
        "menubar": has_module("menubar") and not env.get("SSH_CONNECTION"),
        "tray": has_module("tray") and has_panel(env),
        "terminal": is_terminal,
    }


def has_module(front: str) -> bool:
    return all(_found(name) for name in MODULES[front])


def has_panel(env: Mapping[str, str]) -> bool:
    """Whether somebody on this desktop shows tray icons."""
    if sys.platform == "darwin" or not (env.get("DISPLAY") or env.get("WAYLAND_DISPLAY")) or not shutil.which(ASK[0]):
        return False
    try:
        said = subprocess.run(ASK, capture_output=True, stdin=subprocess.DEVNULL, timeout=3, check=False, env=dict(env))
    except (OSError, subprocess.TimeoutExpired):
        return False
    return said.stdout.strip() == b"(true,)"


def is_anybody_there(home: str, patience_s: float) -> bool:
    """Whether there is an agent to show. A watcher that has just been started is given time for its first look."""
    deadline = time.monotonic() + patience_s
    while True:
        found = reader.read(home)
        has_looked = found.heartbeat is not None and found.watcher(time.time()) is Watcher.ALIVE
        if has_looked or time.monotonic() >= deadline:
            return any(not one.hidden for one in found.sessions)
        time.sleep(PAUSE_S)


def _found(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False
