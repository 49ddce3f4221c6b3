"""Which front end is the right one here."""

from __future__ import annotations

import importlib.util
import sys
import time
from typing import TYPE_CHECKING

from contract.pulse import Watcher
from statusbar.model import reader
from statusbar.system import bus

if TYPE_CHECKING:
    from collections.abc import Mapping

# The command of each front end, and the module it needs.
WORDS = {"menubar": "menubar", "tray": "tray", "terminal": "top"}
MODULES = {
    "menubar": ("statusbar.menubar", "rumps", "AppKit"),
    "tray": ("statusbar.tray.tray", "dbus_fast"),
    "terminal": ("statusbar.top.app",),
}
# Those that are not in the terminal they were started in.
PLACES = {"menubar": "in the menubar", "tray": "in the tray of your panel"}
PAUSE_S = 0.05


def choose(wanted: str, possible: Mapping[str, bool]) -> str:
    """The one that was asked for; else the first that is possible. '' if none is: then a table must do."""
    if wanted in possible:
        return wanted
    return next((front for front, is_possible in possible.items() if is_possible), "")


def possible(env: Mapping[str, str], *, is_terminal: bool) -> dict[str, bool]:
    """In the order of preference. Over ssh the desktop is one that the person does not look at."""
    is_here = not env.get("SSH_CONNECTION")
    return {
        "menubar": is_here and has_module("menubar"),
        "tray": is_here and has_screen(env) and has_module("tray") and bus.has_panel(env),
        "terminal": is_terminal,
    }


def announce(chosen: str) -> None:
    """What is shown elsewhere leaves the terminal empty: say where to look, and how to leave."""
    if chosen in PLACES:
        print(f"Your agents are {PLACES[chosen]}. Ctrl-C ends it.", file=sys.stderr, flush=True)


def has_module(front: str) -> bool:
    return all(_found(name) for name in MODULES[front])


def has_screen(env: Mapping[str, str]) -> bool:
    return sys.platform != "darwin" and bool(env.get("DISPLAY") or env.get("WAYLAND_DISPLAY"))


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
