"""Which way there is here to show a notification."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from enum import Enum
from typing import TYPE_CHECKING

from statusbar.notifications.programs import ByProgram, with_notify_send, with_osascript
from statusbar.notifications.screen import NoScreen
from statusbar.system import bus

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statusbar.notifications.screen import Screen


class Way(Enum):
    """The best first."""

    BUS = "desktop notifications that can be clicked"
    OSASCRIPT = "Notification Center"
    NOTIFY_SEND = "desktop notifications"
    BELL = "the terminal bell"


def way(env: Mapping[str, str], platform: str = sys.platform) -> Way:
    if platform == "darwin":
        return Way.OSASCRIPT if shutil.which("osascript") else Way.BELL
    if not has_bus(env):
        return Way.BELL
    if importlib.util.find_spec("dbus_fast"):
        return Way.BUS
    return Way.NOTIFY_SEND if shutil.which("notify-send") else Way.BELL


def has_bus(env: Mapping[str, str]) -> bool:
    """Whether there is a session bus: named in the environment, or in its usual place."""
    return bool(bus.address(env))


def screen(how: Way, env: Mapping[str, str]) -> Screen:
    if how is Way.BUS:
        from statusbar.notifications.over_bus import OverBus  # noqa: PLC0415 - asyncio is slow to import

        return OverBus(env)
    argv = {Way.OSASCRIPT: with_osascript, Way.NOTIFY_SEND: with_notify_send}.get(how)
    return ByProgram(argv) if argv else NoScreen()
