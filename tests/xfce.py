"""A real desktop without a screen: Xvfb, a session bus and the panel of Xfce, all of our own."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import subprocess
import time
from typing import TYPE_CHECKING, Self

from dbus_fast import Message
from dbus_fast.aio import MessageBus

from bench.panel import WATCHER, bus
from showing import environ

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    Colour = tuple[int, int, int]

PROGRAMS = {"Xvfb": "xvfb", "xfce4-panel": "xfce4-panel", "xdotool": "xdotool", "import": "imagemagick"}
WIDTH, HEIGHT = 900, 330
PATIENCE_S = 15.0
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


def missing() -> list[str]:
    """The Debian packages that are needed and not there."""
    return [package for program, package in PROGRAMS.items() if not shutil.which(program)]


class Desktop:
    def __init__(self, folder: Path, home: Path) -> None:
        self.folder = folder
        self.env = environ(home, HOME=str(folder), XDG_CONFIG_HOME=str(folder / "config"), NO_AT_BRIDGE="1")
        self.env |= {"XDG_RUNTIME_DIR": str(folder), "GDK_BACKEND": "x11", "XDG_CACHE_HOME": str(folder / "cache")}
        self._open = contextlib.ExitStack()

    def __enter__(self) -> Self:
        try:
            self._come_up()
        except BaseException:
            self._open.close()
            raise
        return self

    def _come_up(self) -> None:
        settings = self.folder / "config" / "xfce4" / "xfconf" / "xfce-perchannel-xml"
        settings.mkdir(parents=True)
        (settings / "xfce4-panel.xml").write_text(CONFIG)
        self.env["DISPLAY"] = self._screen()
        self.env["DBUS_SESSION_BUS_ADDRESS"] = self._open.enter_context(bus(self.env))
        self.start("xfce4-panel", "--disable-wm-check")
        asyncio.run(_until_watched(self.env["DBUS_SESSION_BUS_ADDRESS"]))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()

    def start(self, *argv: str, **more: str) -> subprocess.Popen[bytes]:
        """It is ended with the desktop."""
        log = self._open.enter_context((self.folder / f"{os.path.basename(argv[0])}.log").open("wb"))
        made = subprocess.Popen(argv, env={**self.env, **more}, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self._open.callback(made.wait)
        self._open.callback(made.terminate)
        return made

    def _screen(self) -> str:
        """The server itself finds a number that is free."""
        heard, said = os.pipe()
        argv = ["Xvfb", "-displayfd", str(said), "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-nolisten", "tcp"]
        quiet = subprocess.DEVNULL
        server = subprocess.Popen(argv, env=self.env, pass_fds=[said], stdout=quiet, stderr=quiet)
        os.close(said)
        self._open.callback(server.wait)
        self._open.callback(server.terminate)
        with os.fdopen(heard) as answer:
            return f":{answer.readline().strip()}"

    def do(self, *words: str) -> None:
        """With mouse and keyboard."""
        subprocess.run(["xdotool", *words], env=self.env, check=True, capture_output=True)

    def pixels(self) -> bytes:
        argv = ["import", "-window", "root", "-depth", "8", "rgb:-"]
        return subprocess.run(argv, env=self.env, check=True, capture_output=True).stdout

    def picture(self, path: str) -> None:
        subprocess.run(["import", "-window", "root", path], env=self.env, check=True, capture_output=True)

    def find(self, colour: Colour) -> tuple[int, int]:
        """Where on the screen it is, once it is there: the middle of all its pixels."""
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            drawn = self.pixels()
            found = [
                k // 3 for k in range(0, len(drawn), 3) if drawn[k] == colour[0] and drawn[k : k + 3] == bytes(colour)
            ]
            if found:
                return sum(k % WIDTH for k in found) // len(found), sum(k // WIDTH for k in found) // len(found)
            time.sleep(0.1)
        self.picture(str(self.folder / "screen.png"))
        raise AssertionError(f"never saw {colour}; the screen is in {self.folder}/screen.png")

    def until_still(self) -> None:
        """Menus open with a short delay: until two looks in a row show the same."""
        before = self.pixels()
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            time.sleep(0.4)
            now = self.pixels()
            if now == before:
                return
            before = now


async def _until_watched(address: str) -> None:
    """The panel takes its time to come up."""
    connection = await MessageBus(bus_address=address).connect()
    deadline = time.monotonic() + PATIENCE_S
    while not await _is_owned(connection):
        assert time.monotonic() < deadline, "the panel did not come up"
        await asyncio.sleep(0.1)
    connection.disconnect()


async def _is_owned(connection: MessageBus) -> bool:
    name = "org.freedesktop.DBus"
    reply = await connection.call(Message(name, "/", name, "NameHasOwner", signature="s", body=[WATCHER]))
    return bool(reply and reply.body[0])
