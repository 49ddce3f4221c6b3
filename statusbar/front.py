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
    from collections.abc import Callable, Mapping

# The command of each front end, and the modules it needs.
COMMANDS = {"menubar": "menubar", "tray": "tray", "terminal": "top"}
MODULES = {
    "menubar": ("statusbar.menubar", "rumps", "AppKit"),
    "tray": ("statusbar.tray.tray", "dbus_fast"),
    "terminal": ("statusbar.top.app",),
}
# The front ends that do not draw in the terminal they were started in.
PLACES = {"menubar": "in the menu bar", "tray": "in the tray"}
PAUSE_S = 0.05
AFTER_DEMO = "The demo has ended: an agent of yours is running."


def choose(wanted: str, possible: Mapping[str, bool]) -> str:
    """The front end that the person wants, else the first that is possible; '' if none is: then print a table."""
    if wanted in possible:
        return wanted
    return next((front for front, is_possible in possible.items() if is_possible), "")


def possible(env: Mapping[str, str], *, is_terminal: bool) -> dict[str, bool]:
    """In the order of preference. Over ssh the person does not see the desktop of this machine."""
    is_here = not env.get("SSH_CONNECTION")
    return {
        "menubar": is_here and has_module("menubar"),
        "tray": is_here and has_screen(env) and has_module("tray") and bus.has_panel(env),
        "terminal": is_terminal,
    }


def announce(chosen: str, *, after_demo: bool = False) -> None:
    """An icon leaves the terminal empty: say where to look, and how to quit."""
    if after_demo:
        print(AFTER_DEMO, file=sys.stderr, flush=True)
    if chosen in PLACES:
        print(f"Your agents are shown {PLACES[chosen]}. Press Ctrl-C to quit.", file=sys.stderr, flush=True)


def lacking(env: Mapping[str, str], has: Callable[[str], bool]) -> str:
    """The package without which no icon is shown here, though the person would see one; '' if nothing is missing."""
    if env.get("SSH_CONNECTION"):
        return ""
    if sys.platform == "darwin":
        return "" if has("menubar") else "rumps"
    return "dbus-fast" if has_screen(env) and not has("tray") else ""


def has_module(front: str) -> bool:
    return all(_can_import(name) for name in MODULES[front])


def has_screen(env: Mapping[str, str]) -> bool:
    return sys.platform != "darwin" and bool(env.get("DISPLAY") or env.get("WAYLAND_DISPLAY"))


def has_agents(home: str, patience_s: float) -> bool:
    """Whether there is an agent to show. Waits until a watcher that was just started has looked once."""
    deadline = time.monotonic() + patience_s
    while True:
        statuses = reader.read(home, hosts=True)
        has_looked = statuses.heartbeat is not None and statuses.watcher(time.time()) is Watcher.ALIVE
        if has_looked or time.monotonic() >= deadline:
            return any(not session.hidden for session in statuses.sessions)
        time.sleep(PAUSE_S)


def _can_import(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False
