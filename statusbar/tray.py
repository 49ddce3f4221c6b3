"""`yourturn tray`: the board as an icon with a menu in the panel of a Linux desktop."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import signal
import sys
from typing import TYPE_CHECKING, Any

from contract import paths
from statusbar.follower import Follower
from statusbar.menu import ROOT, Choice, Deed, Item
from statusbar.notify import Notifier
from statusbar.rows import Action

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from statusbar.menu import Menu

NO_LIBRARY = "yourturn: the tray needs dbus-fast. Install it: pip install 'yourturn[tray]'"
NO_BUS = "yourturn: there is no desktop session here ({}). Elsewhere: yourturn top"
NO_TRAY = """\
yourturn: this desktop has no tray that shows icons (nobody owns org.kde.StatusNotifierWatcher).
  GNOME: install the extension "AppIndicator and KStatusNotifierItem Support"
         (Debian and Ubuntu: gnome-shell-extension-appindicator; Fedora: the same), enable it, log in again
  Xfce:  add "Status Tray Plugin" to the panel     KDE: add "System Tray" to the panel
  sway, Hyprland, i3: Waybar with its "tray" module shows it
Until then: yourturn top"""
NOBODY_LOOKS = "yourturn: the tray is registered, but no panel shows it yet."
ALREADY = "yourturn: the tray is already there."
GONE = "yourturn: the desktop session has ended."
BUS, BUS_PATH = "org.freedesktop.DBus", "/org/freedesktop/DBus"
BROKEN = 3


def run(_args: argparse.Namespace) -> int:
    try:
        import dbus_fast  # noqa: F401, PLC0415 - only the tray needs it
    except ImportError:
        print(NO_LIBRARY, file=sys.stderr)
        return 1
    return asyncio.run(_run(paths.home(), os.environ))


async def _run(home: str, environ: Mapping[str, str]) -> int:
    from dbus_fast.aio import MessageBus  # noqa: PLC0415
    from dbus_fast.errors import AuthError, DBusError, InvalidAddressError  # noqa: PLC0415

    try:
        bus = await MessageBus(bus_address=_address(environ)).connect()
    except (OSError, AuthError, InvalidAddressError, EOFError) as error:
        print(NO_BUS.format(str(error) or type(error).__name__), file=sys.stderr)
        return 1
    try:
        return await Tray(bus, home).run()
    except (OSError, EOFError, DBusError):  # the bus went away in the middle of a word
        print(GONE, file=sys.stderr)
        return 1
    finally:
        if bus.connected:
            bus.disconnect()


def _report(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """What could not be sent because the bus went away has been said in one line."""
    if not isinstance(context.get("exception"), OSError | EOFError):
        loop.default_exception_handler(context)


def _address(environ: Mapping[str, str]) -> str | None:
    """Where it lies by convention, if nobody says where; None leaves it to the library."""
    by_convention = f"{environ.get('XDG_RUNTIME_DIR', '')}/bus"
    if not environ.get("DBUS_SESSION_BUS_ADDRESS") and os.path.exists(by_convention):
        return f"unix:path={by_convention}"
    return None


class Tray:
    def __init__(self, bus: Any, home: str) -> None:
        from statusbar import dbusmenu, sni  # noqa: PLC0415 - they need the library

        self.bus = bus
        self.home = home
        self.sni = sni
        self.name = f"{sni.INTERFACE}-{os.getpid()}-1"
        self.item = sni.StatusNotifierItem(self.activate)
        self.menu = dbusmenu.DBusMenu(self.choose)
        self.loop = asyncio.get_running_loop()
        self.ended: asyncio.Future[int] = self.loop.create_future()
        self.loop.set_exception_handler(_report)
        self.follower = Follower(home, self.hear, self.fail, lambda say: Notifier(home, os.environ, tell=say))
        bus.export(sni.PATH, self.item)
        bus.export(dbusmenu.PATH, self.menu)

    async def run(self) -> int:
        if not await self._call("NameHasOwner", "s", self.sni.WATCHER):
            print(NO_TRAY, file=sys.stderr)
            return 1
        if not await self._is_first():
            print(ALREADY, file=sys.stderr)
            return 0
        with self.follower, self._told_by_signals():
            await self._register()
            leaving = asyncio.ensure_future(self._until_disconnected())
            code = await self.ended
            leaving.cancel()
            return code

    # Called by the follower, in its own thread

    def hear(self, wanted: Menu) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
            self.loop.call_soon_threadsafe(self.show, wanted)

    def fail(self) -> None:
        with contextlib.suppress(RuntimeError):
            self.loop.call_soon_threadsafe(self.end, BROKEN)

    # Called in the loop

    def show(self, wanted: Menu) -> None:
        with contextlib.suppress(OSError):  # a bus that went away is noticed elsewhere
            self.menu.show(wanted)
            self.item.show(wanted)

    def choose(self, choice: Choice) -> None:
        if choice.deed is Deed.QUIT:
            self.end(0)
        self.follower.choose(choice)

    def activate(self) -> None:
        """Go to the one that has been blocked longest; it stands first."""
        first = next((item for item in self.menu.menu.items if item.children), Item(ROOT))
        for one in first.children:
            if one.choice and one.choice.deed is Action.GO:
                self.follower.choose(one.choice)
                return

    def end(self, code: int) -> None:
        if not self.ended.done():
            self.ended.set_result(code)

    # The bus

    async def _register(self) -> None:
        await self.bus.request_name(self.name)
        self.bus.add_message_handler(self._on_message)
        rule = f"type='signal',sender='{BUS}',member='NameOwnerChanged',arg0='{self.sni.WATCHER}'"
        await self._call("AddMatch", "s", rule)
        await self._announce()
        if not await self._has_host():
            print(NOBODY_LOOKS, file=sys.stderr)

    async def _announce(self) -> None:
        where = {"destination": self.sni.WATCHER, "path": self.sni.WATCHER_PATH, "interface": self.sni.WATCHER}
        await self._send("RegisterStatusNotifierItem", "s", self.name, **where)

    async def _has_host(self) -> bool:
        where = {
            "destination": self.sni.WATCHER,
            "path": self.sni.WATCHER_PATH,
            "interface": "org.freedesktop.DBus.Properties",
        }
        found = await self._send("Get", "ss", self.sni.WATCHER, "IsStatusNotifierHostRegistered", **where)
        return bool(found is None or found.value)

    def _on_message(self, message: Any) -> None:
        """A panel that was started again knows nothing of us."""
        if message.sender == BUS and message.member == "NameOwnerChanged" and message.body[2]:
            self._announcing = asyncio.ensure_future(self._announce())

    async def _is_first(self) -> bool:
        """One icon for each state folder: what it is called on the bus tells."""
        from dbus_fast import NameFlag, RequestNameReply  # noqa: PLC0415

        name = f"yourturn.tray.h{hashlib.blake2b(os.fsencode(self.home), digest_size=8).hexdigest()}"
        return await self.bus.request_name(name, NameFlag.DO_NOT_QUEUE) is RequestNameReply.PRIMARY_OWNER

    async def _until_disconnected(self) -> None:
        with contextlib.suppress(Exception):
            await self.bus.wait_for_disconnect()
        if not self.ended.done():
            print(GONE, file=sys.stderr)
            self.end(1)

    async def _call(self, member: str, signature: str, *body: Any) -> Any:
        return await self._send(member, signature, *body, destination=BUS, path=BUS_PATH, interface=BUS)

    async def _send(self, member: str, signature: str, *body: Any, **where: Any) -> Any:
        """The first value of the answer; None if there is none, or an error."""
        from dbus_fast import Message, MessageType  # noqa: PLC0415

        reply = await self.bus.call(Message(member=member, signature=signature, body=list(body), **where))
        return reply.body[0] if reply.message_type is MessageType.METHOD_RETURN and reply.body else None

    @contextlib.contextmanager
    def _told_by_signals(self) -> Any:
        numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        for number in numbers:
            self.loop.add_signal_handler(number, self.end, 128 + number)
        try:
            yield
        finally:
            for number in numbers:
                self.loop.remove_signal_handler(number)
