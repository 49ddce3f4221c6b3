"""The menubar on the real rumps over a strict stand-in for AppKit, and a person who looks at it and clicks."""

import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar

import pytest

from support.patience import PATIENCE_S, until
from support.project import TESTS

sys.path.insert(0, f"{TESTS}/support/appkit")
rumps = pytest.importorskip("rumps", reason="THE MENUBAR WAS NOT TESTED: pip install --no-deps rumps")

import AppKit  # noqa: E402 - found only beside the tests
import Foundation  # noqa: E402
from PyObjCTools import AppHelper  # noqa: E402

from statusbar import menubar  # noqa: E402
from statusbar.menubar import Menubar  # noqa: E402

__all__ = ["AppHelper", "AppKit", "Foundation", "Person", "clean", "menubar", "play", "rumps"]

T = TypeVar("T")
Titles = list[Any]


class Person:
    """Looks at the menubar and clicks, from a thread of their own; everything happens on the main one."""

    def __init__(self, bar: Menubar) -> None:
        self.bar = bar

    def ask(self, question: Callable[[], T]) -> T:
        answer: Future[T] = Future()

        def find() -> None:
            try:
                answer.set_result(question())
            except Exception as error:
                answer.set_exception(error)

        AppHelper.callAfter(find)
        return answer.result(PATIENCE_S)

    def titles(self) -> Titles:
        return self.ask(lambda: shown(AppKit.NSStatusBar.items[0].menu))

    def title(self) -> str:
        found = self.ask(lambda: AppKit.NSStatusBar.items[0].titles[-1])
        assert isinstance(found, str)
        return found

    def until(self, words: str, gone: str = "\0") -> Titles:
        def seen() -> Titles:
            found = self.titles()
            return found if words in str(found) and gone not in str(found) else []

        found: Titles = until(seen, lambda: f"{words!r} without {gone!r} in {self.titles()}")
        return found

    def tick(self, words: str) -> int:
        return self.ask(lambda: int(find(AppKit.NSStatusBar.items[0].menu, words).ticked))

    def until_ticked(self, words: str) -> None:
        until(lambda: self.tick(words), f"a tick at {words!r}")

    def click(self, words: str) -> None:
        AppHelper.callAfter(lambda: find(AppKit.NSStatusBar.items[0].menu, words).click())

    def opens_menu(self, *, is_open: bool) -> None:
        delegate = self.ask(lambda: AppKit.NSStatusBar.items[0].menu.delegate)
        self.ask(lambda: delegate.menuWillOpen_(None) if is_open else delegate.menuDidClose_(None))


def clean(monkeypatch: pytest.MonkeyPatch) -> None:
    """AppKit and rumps keep things for a whole process."""
    rumps.rumps.NSApp._ns_to_py_and_callback.clear()
    AppKit.NSStatusBar.items.clear()
    monkeypatch.setattr(Foundation.NSRunLoop, "_only", None)
    monkeypatch.setattr(AppKit.NSApplication, "_only", None)
    while not AppHelper._calls.empty():
        AppHelper._calls.get()


def shown(menu: Any) -> Titles:
    """The titles as they are drawn; a submenu is a list after its title."""
    found: Titles = []
    for item in menu.items:
        found.append("---" if item.is_separator else item.title())
        if item.submenu is not None:
            found.append(shown(item.submenu))
    return found


def find(menu: Any, words: str) -> Any:
    for item in menu.items:
        if words in item.title():
            return item
        if item.submenu is not None and (found := find(item.submenu, words)):
            return found
    return None


def play(home: Path, story: Callable[[Person], object], *, quits: bool = True) -> None:
    """Run the menubar until the story is over and the person quits."""
    bar = Menubar(str(home))
    person = Person(bar)
    trouble: list[BaseException] = []

    def told() -> None:
        try:
            story(person)
        except BaseException as error:
            trouble.append(error)
        if quits or trouble:
            AppHelper.callAfter(rumps.quit_application)

    thread = threading.Thread(target=told)
    thread.start()
    with pytest.raises(AppKit.Terminated):
        bar.run()
    thread.join(PATIENCE_S)
    if trouble:
        raise trouble[0]
