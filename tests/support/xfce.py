"""A real desktop without a screen: Xvfb, a session bus and the panel of Xfce, all of our own."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import TYPE_CHECKING

from dbus_fast import Message
from dbus_fast.aio import MessageBus

from bench.panel import WATCHER, bus
from support.patience import until
from support.showing import environ
from tools.pictures.screen import Screen

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable
    from pathlib import Path

PROGRAMS = ("dbus-daemon", "Xvfb", "xfce4-panel", "xdotool", "import")  # what a test on it needs
SIZE = (900, 330)
PANEL = 28  # its height
STARTS, START_S = 3, 30.0  # now and then one hangs: then another one has its chance
BUS = "org.freedesktop.DBus"
CONFIG = """<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfce4-panel" version="1.0">
  <property name="configver" type="int" value="2"/>
  <property name="panels" type="array">
    <value type="int" value="1"/>
    <property name="dark-mode" type="bool" value="true"/>
    <property name="panel-1" type="empty">
      <property name="position" type="string" value="p=6;x=0;y=0"/>
      <property name="length" type="uint" value="100"/>
      <property name="position-locked" type="bool" value="true"/>
      <property name="size" type="uint" value="28"/>
      <property name="plugin-ids" type="array"><value type="int" value="1"/><value type="int" value="2"/></property>
    </property>
  </property>
  <property name="plugins" type="empty">
    <property name="plugin-1" type="string" value="separator">
      <property name="expand" type="bool" value="true"/>
      <property name="style" type="uint" value="0"/>
    </property>
    <property name="plugin-2" type="string" value="systray"/>
  </property>
</channel>
"""


class Desktop(Screen):
    def __init__(self, folder: Path, home: Path, size: tuple[int, int] = SIZE) -> None:
        env = environ(home, HOME=str(folder), XDG_CONFIG_HOME=str(folder / "config"), NO_AT_BRIDGE="1")
        env |= {"XDG_RUNTIME_DIR": str(folder), "GDK_BACKEND": "x11", "XDG_CACHE_HOME": str(folder / "cache")}
        super().__init__(folder, env, size)

    def come_up(self) -> None:
        super().come_up()
        settings = self.folder / "config" / "xfce4" / "xfconf" / "xfce-perchannel-xml"
        settings.mkdir(parents=True)
        (settings / "xfce4-panel.xml").write_text(CONFIG)
        self.env["DBUS_SESSION_BUS_ADDRESS"] = self.open.enter_context(bus(self.env))
        assert any(self._has_panel() for _ in range(STARTS)), f"no panel came up; see {self.folder}/xfce4-panel.log"

    def _has_panel(self) -> bool:
        """Now and then one ends or hangs while it starts: then it is ended, and another one has its chance."""
        panel = self.start("xfce4-panel", "--disable-wm-check")
        if asyncio.run(_is_watched(self.env["DBUS_SESSION_BUS_ADDRESS"], panel)):
            return True
        panel.kill()
        panel.wait()
        return False

    def opens(self, *words: str) -> None:
        """Do this with mouse or keyboard, and wait for the menu it opens or moves in."""
        self.changes(lambda: self.do(*words), f"anything after {words}")

    def changes(self, deed: Callable[[], object], what: str) -> None:
        """After this deed, something changes below the panel."""
        before = self._below()
        deed()
        until(lambda: self._below() != before, what)
        self.until_still()

    def _below(self) -> bytes:
        return self.pixels()[3 * self.width * (PANEL + 1) :]


async def _is_watched(address: str, panel: subprocess.Popen[bytes]) -> bool:
    """Whether this panel comes to own the watcher's name."""
    owned = asyncio.Event()
    connection = await MessageBus(bus_address=address).connect()
    connection.add_message_handler(lambda one: owned.set() if _tells_of_owner(one) else None)
    try:
        await _ask(connection, "AddMatch", f"type='signal',sender='{BUS}',member='NameOwnerChanged',arg0='{WATCHER}'")
        if await _ask(connection, "NameHasOwner", WATCHER):
            return True
        return await _happens(owned, panel)
    finally:
        connection.disconnect()


async def _happens(owned: asyncio.Event, panel: subprocess.Popen[bytes]) -> bool:
    deadline = time.monotonic() + START_S
    while panel.poll() is None and time.monotonic() < deadline:
        with contextlib.suppress(TimeoutError):
            return await asyncio.wait_for(owned.wait(), 0.5)
    return False


def _tells_of_owner(message: Message) -> bool:
    return message.sender == BUS and message.member == "NameOwnerChanged" and bool(message.body[2])


async def _ask(connection: MessageBus, member: str, word: str) -> bool:
    reply = await connection.call(Message(BUS, "/", BUS, member, signature="s", body=[word]))
    return bool(reply and reply.body and reply.body[0])
