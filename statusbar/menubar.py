"""`yourturn menubar`: the board in the menu bar of macOS. The only file that uses rumps."""

from __future__ import annotations

import os
import platform
import signal
import sys
import traceback
from typing import TYPE_CHECKING, Any

from contract import bar_files, installation, paths, store, typed
from statusbar.menu import explain_window
from statusbar.menu.controller import Controller
from statusbar.menu.diff import Change, Insert, Remove, diff, while_open
from statusbar.menu.model import ROOT, Choice, Item, Menu, MenuAction, every
from statusbar.notifications.notify import Notifier
from statusbar.text.symbols import TROUBLE

try:
    import rumps
    from AppKit import NSApplication
    from Foundation import NSObject, NSRunLoop, NSRunLoopCommonModes
    from PyObjCTools import AppHelper
except ImportError:
    rumps, NSObject = None, object

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from statusbar.menu.diff import Patch
    from statusbar.menu.model import Key

NAME = "yourturn"
TICK_S = 2.0
ACCESSORY = 1  # NSApplicationActivationPolicyAccessory: no icon in the Dock
NO_MENUBAR = "yourturn: the menu bar icon is for macOS. Here: {tray}, or in a terminal: {top}"
NO_RUMPS = "yourturn: the menu bar icon needs rumps. To add it: {}"
INVISIBLE_SINCE = 26
ALREADY = "yourturn: the menu bar icon is already running (process {})."
MAY_BE_INVISIBLE = (
    "yourturn: macOS 26 may not show the menu bar icon, because this Python is a framework build. "
    "If you see no icon, use a Python that uv installed."
)


def run(_args: argparse.Namespace) -> int:
    if rumps is None:
        print(_lacking(), file=sys.stderr)
        return 1
    if getattr(sys, "_framework", "") and int(platform.mac_ver()[0].partition(".")[0] or 0) >= INVISIBLE_SINCE:
        print(MAY_BE_INVISIBLE, file=sys.stderr)
    home = paths.home()
    # rumps creates this folder if it is missing, readable by everybody.
    store.private_folder(home)
    lock = store.take(bar_files.lock(home))
    if lock is None:
        print(ALREADY.format(_holder(bar_files.lock(home))), file=sys.stderr)
        return 0
    os.truncate(lock, 0)
    os.write(lock, str(os.getpid()).encode())
    try:
        Menubar(home, lambda say: Notifier(home, os.environ, tell=say)).run()
    finally:
        os.close(lock)
    return 0


def _lacking() -> str:
    if sys.platform == "darwin":
        return NO_RUMPS.format(installation.adding("rumps"))
    return NO_MENUBAR.format(tray=typed.command("tray"), top=typed.command("top"))


def _holder(path: str) -> str:
    """The pid is written after the lock is taken, so it may be missing for a moment."""
    pid = (store.read(path) or b"").decode("ascii", "replace")
    return pid if pid.isdigit() else "unknown"


class Menubar:
    """Draws menus with rumps: rows that stay are changed in place, rows that are gone are removed from its registry."""

    def __init__(self, home: str, notifier: Callable[[Callable[[str], None]], Notifier] | None = None) -> None:
        self.app = rumps.App(NAME, title=Menu().title, quit_button=None)
        self.drawn = self.wanted = Menu()
        self.rows: dict[Key, Any] = {}
        self.is_open = False
        self.controller = Controller(home, self.draw_later, notifier=notifier)
        self.timer = rumps.Timer(self.tick, TICK_S)
        self.delegate = MenuDelegate.alloc().init()
        self.delegate.menubar = self

    def run(self) -> None:
        """Returns when the person quits."""
        NSApplication.sharedApplication().setActivationPolicy_(ACCESSORY)
        self.app.menu._menu.setDelegate_(self.delegate)  # noqa: SLF001 - rumps has no other way to it
        self.timer.start()
        # Without this the timer would stop while the menu is open.
        common = self.timer._nstimer  # noqa: SLF001
        NSRunLoop.currentRunLoop().addTimer_forMode_(common, NSRunLoopCommonModes)
        # Handled at the next tick: the run loop does not run Python code earlier.
        signal.signal(signal.SIGTERM, lambda _number, _frame: rumps.quit_application())
        # AppKit ends the process without running Python's atexit handlers.
        rumps.events.before_quit.register(explain_window.clear)
        with self.controller:
            self.app.run()

    def draw_later(self, wanted: Menu) -> None:
        """Called by the controller in its own thread, where nothing may be drawn."""
        AppHelper.callAfter(self.draw, wanted)

    # On the main thread

    def draw(self, wanted: Menu) -> None:
        self.wanted = wanted
        shown = while_open(self.drawn, wanted) if self.is_open else wanted
        title = shown.title if self.controller.is_alive() else f"{TROUBLE.symbol} {shown.title}"
        if title != self.app.title:
            self.app.title = title
        for patch in diff(self.drawn.items, shown.items):
            self._apply(patch)
        self.drawn = shown

    def tick(self, _timer: Any) -> None:
        """Also when the controller has crashed: then the title shows it."""
        self.draw(self.wanted)

    def opened(self, *, is_open: bool) -> None:
        self.is_open = is_open
        self.draw(self.wanted)

    def choose(self, choice: Choice) -> None:
        if choice.action is MenuAction.QUIT:
            rumps.quit_application()
        self.controller.choose(choice)

    # rumps

    def _apply(self, patch: Patch) -> None:
        if isinstance(patch, Change):
            self._update(patch.item)
            return
        parent = self.rows[patch.parent] if patch.parent != ROOT else self.app.menu
        if isinstance(patch, Insert):
            self._insert(parent, patch.place, patch.item)
            return
        row = self.rows[patch.item.key]
        del parent[_key(parent, row)]
        if isinstance(patch, Remove):
            self._forget(patch.item)
        else:
            self._place(parent, patch.place, patch.item)

    def _insert(self, parent: Any, place: int, item: Item) -> None:
        self.rows[item.key] = rumps.rumps.SeparatorMenuItem() if item.is_separator else rumps.MenuItem(repr(item.key))
        self._place(parent, place, item)
        for number, child in enumerate(item.children):
            self._insert(self.rows[item.key], number, child)

    def _place(self, parent: Any, place: int, item: Item) -> None:
        """A row is found by the title it had when it was added: of two rows with one title, one would be lost."""
        row, keys = self.rows[item.key], list(parent)
        if not item.is_separator:
            row.title = repr(item.key)
        if place < len(keys):
            parent.insert_before(keys[place], row)
        else:
            parent.add(row)
        self._update(item)

    def _update(self, item: Item) -> None:
        if not item.is_separator:
            row = self.rows[item.key]
            row.title = item.title
            row.state = int(bool(item.tick and item.tick.is_on))
            row.set_callback(self._callback(item.choice) if item.choice else None)

    def _callback(self, choice: Choice) -> Callable[[Any], None]:
        def chosen(_row: Any) -> None:
            try:
                self.choose(choice)
            except Exception as error:
                traceback.print_exc()
                self.controller.say(f"Internal error: {type(error).__name__}")

        return chosen

    def _forget(self, item: Item) -> None:
        """Otherwise the registry of rumps keeps every row for ever."""
        for removed in every([item]):
            row = self.rows.pop(removed.key)
            rumps.rumps.NSApp._ns_to_py_and_callback.pop(row._menuitem, None)  # noqa: SLF001


class MenuDelegate(NSObject):  # type: ignore[misc]
    """AppKit calls it when the menu opens and closes."""

    menubar: Menubar

    def menuWillOpen_(self, _menu: Any) -> None:  # noqa: N802 - the names are AppKit's
        self.menubar.opened(is_open=True)

    def menuDidClose_(self, _menu: Any) -> None:  # noqa: N802
        self.menubar.opened(is_open=False)


def _key(parent: Any, row: Any) -> Any:
    return next(key for key, child in parent.items() if child is row)
