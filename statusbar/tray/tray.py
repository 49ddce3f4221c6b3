"""`yourturn tray`: the board as an icon with a menu in the panel of a Linux desktop."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import signal
import sys
from typing import TYPE_CHECKING, Any

from contract import installation, paths, typed
from statusbar.demo import flag
from statusbar.menu.controller import Controller
from statusbar.menu.model import Choice, MenuAction
from statusbar.notifications.notify import Notifier
from statusbar.system.bus import BUS, WATCHER, WATCHER_PATH, NoBus, ask, call, connect, has_host

if TYPE_CHECKING:
    import argparse
    from collections.abc import Coroutine, Mapping

    from statusbar.menu.model import Menu

NO_LIBRARY = "yourturn: the tray icon needs dbus-fast. To add it: {}"
NO_BUS = """\
yourturn: no desktop session found: cannot reach the session bus ({error}).
  On a desktop: install dbus-user-session (Debian, Ubuntu; elsewhere dbus) and log in again
  Over ssh, or without a desktop: {top}"""
NO_TRAY = """\
yourturn: this desktop has no tray for icons (no program owns org.kde.StatusNotifierWatcher).
  GNOME: install the extension "AppIndicator and KStatusNotifierItem Support"
         (Debian and Ubuntu: gnome-shell-extension-appindicator; Fedora: the same), enable it, log in again
  Xfce:  add "Status Tray Plugin" to the panel     KDE: add "System Tray" to the panel
  sway, Hyprland, i3: Waybar with its "tray" module shows it
Until then: {top}"""
NO_PANEL = "yourturn: the tray icon is registered, but no panel shows it yet."
ALREADY = "yourturn: the tray icon is already running (process {})."
GONE = "yourturn: the desktop session has ended."
BROKEN = 3


def run(args: argparse.Namespace | None) -> int:
    try:
        import dbus_fast  # noqa: F401, PLC0415 - only the tray needs it
    except ImportError:
        print(NO_LIBRARY.format(installation.adding("dbus-fast")), file=sys.stderr)
        return 1
    return asyncio.run(_run(paths.home(), os.environ, patient=bool(args and args.wait)))


async def _run(home: str, environ: Mapping[str, str], *, patient: bool) -> int:
    from dbus_fast.errors import DBusError  # noqa: PLC0415

    try:
        bus = await connect(environ)
    except NoBus as error:
        print(NO_BUS.format(error=error, top=typed.command("top")), file=sys.stderr)
        return 1
    try:
        return await Tray(bus, home).run(patient=patient)
    except (OSError, EOFError, DBusError):  # the bus went away in the middle of a message
        print(GONE, file=sys.stderr)
        return 1
    finally:
        if bus.connected:
            bus.disconnect()


def _report(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Not when the bus went away: GONE says so already."""
    if not isinstance(context.get("exception"), OSError | EOFError):
        loop.default_exception_handler(context)


class Tray:
    def __init__(self, bus: Any, home: str) -> None:
        from statusbar.tray import dbusmenu, sni  # noqa: PLC0415 - they need the library

        self.bus = bus
        self.home = home
        self.name = f"{sni.INTERFACE}-{os.getpid()}-1"
        self.loop = asyncio.get_running_loop()
        self.item = sni.StatusNotifierItem(self.activate, self.loop.time)
        self.menu = dbusmenu.DBusMenu(self.choose)
        self.ended: asyncio.Future[int] = self.loop.create_future()
        self.has_panel = asyncio.Event()
        self.is_registered = False
        self.loop.set_exception_handler(_report)
        self.controller = Controller(home, self.show_later, self.fail, lambda say: Notifier(home, os.environ, tell=say))
        bus.export(sni.PATH, self.item)
        bus.export(dbusmenu.PATH, self.menu)

    async def run(self, *, patient: bool = False) -> int:
        """With `patient`, wait for a panel: at login it may start later than the icon."""
        if not await self._is_first():
            print(ALREADY.format(await ask(self.bus, "GetConnectionUnixProcessID", self._single)), file=sys.stderr)
            return 0
        await self._listen()
        if not (patient or self.has_panel.is_set()):
            print(NO_TRAY.format(top=typed.command("top")), file=sys.stderr)
            return 1
        with self._ended_by_signals():
            leaving = asyncio.ensure_future(self._until_disconnected())
            try:
                return await self._stay()
            finally:
                leaving.cancel()

    async def _stay(self) -> int:
        await self._unless_ended(self.has_panel.wait())
        if self.ended.done():
            return self.ended.result()
        with self.controller:
            await self._unless_ended(self._register())
            return await self.ended

    async def _unless_ended(self, doing: Coroutine[Any, Any, Any]) -> None:
        """A panel that does not answer must not keep this process from ending."""
        task = asyncio.ensure_future(doing)
        await asyncio.wait((task, self.ended), return_when=asyncio.FIRST_COMPLETED)
        if self.ended.done():
            task.cancel()
        else:
            task.result()

    # Called by the controller, in its own thread

    def show_later(self, wanted: Menu) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
            self.loop.call_soon_threadsafe(self.show, wanted)

    def fail(self) -> None:
        with contextlib.suppress(RuntimeError):
            self.loop.call_soon_threadsafe(self.end, BROKEN)

    # Called in the loop

    def show(self, wanted: Menu) -> None:
        with contextlib.suppress(OSError):  # the bus went away: `_until_disconnected` notices that
            self.menu.show(wanted)
            self.item.show(wanted)

    def choose(self, choice: Choice) -> None:
        if choice.action is MenuAction.QUIT:
            self.end(0)
        self.controller.choose(choice)

    def activate(self) -> None:
        """The icon itself was clicked, or the wheel was turned over it."""
        self.controller.choose(Choice(MenuAction.NEXT))

    def end(self, code: int) -> None:
        if not self.ended.done():
            self.ended.set_result(code)

    # The bus

    async def _listen(self) -> None:
        """Subscribe first, then ask: a panel that starts in between is not missed."""
        self.bus.add_message_handler(self._on_message)
        await ask(self.bus, "AddMatch", f"type='signal',sender='{BUS}',member='NameOwnerChanged',arg0='{WATCHER}'")
        if await ask(self.bus, "NameHasOwner", WATCHER):
            self.has_panel.set()

    async def _register(self) -> None:
        await self.bus.request_name(self.name)
        self.is_registered = True
        await self._announce()
        if not await has_host(self.bus):
            print(NO_PANEL, file=sys.stderr)

    async def _announce(self) -> None:
        await call(self.bus, (WATCHER, WATCHER_PATH, WATCHER, "RegisterStatusNotifierItem"), self.name)

    def _on_message(self, message: Any) -> None:
        """Register again with a panel that was restarted."""
        if message.sender == BUS and message.member == "NameOwnerChanged" and message.body[2]:
            self.has_panel.set()
            if self.is_registered:
                self._announcing = asyncio.ensure_future(self._announce())

    async def _is_first(self) -> bool:
        from dbus_fast import NameFlag, RequestNameReply  # noqa: PLC0415

        return await self.bus.request_name(self._single, NameFlag.DO_NOT_QUEUE) is RequestNameReply.PRIMARY_OWNER

    @property
    def _single(self) -> str:
        """One icon for each state folder, and one for all demos: this name can have only one owner on the bus."""
        shown = os.fsencode(os.environ.get(flag.NAME) or self.home)
        return f"yourturn.tray.h{hashlib.blake2b(shown, digest_size=8).hexdigest()}"

    async def _until_disconnected(self) -> None:
        with contextlib.suppress(Exception):
            await self.bus.wait_for_disconnect()
        if not self.ended.done():
            self.end(1)  # first: the terminal may be gone together with the desktop, and then `print` fails
            print(GONE, file=sys.stderr)

    @contextlib.contextmanager
    def _ended_by_signals(self) -> Any:
        numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        for number in numbers:
            self.loop.add_signal_handler(number, self.end, 128 + number)
        try:
            yield
        finally:
            for number in numbers:
                self.loop.remove_signal_handler(number)
