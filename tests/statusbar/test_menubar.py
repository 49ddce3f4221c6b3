"""The menubar through the real rumps, over a strict stand-in for AppKit."""

import os
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar

import pytest

from contract import bar, store
from contract.status import NEEDS_APPROVAL, WAITING, WORKING, SessionStatus
from statusbar.menu import explain_window
from statusbar.menu.build import WIDEST
from statusbar.menu.model import Choice, Menu
from statusbar.model.rows import Action
from statusbar.text.width import width
from support.patience import PATIENCE_S, until
from support.project import PROJECT, TESTS
from support.showing import HOSTILE, agent, environ, hostile, litter, put, session, watcher

sys.path.insert(0, f"{TESTS}/support/appkit")
rumps = pytest.importorskip("rumps", reason="THE MENUBAR WAS NOT TESTED: pip install --no-deps rumps")

import AppKit  # noqa: E402 - found only beside the tests
import Foundation  # noqa: E402
from PyObjCTools import AppHelper  # noqa: E402

from statusbar import menubar  # noqa: E402
from statusbar.menubar import Menubar  # noqa: E402

T = TypeVar("T")
Titles = list[Any]


@pytest.fixture(autouse=True)
def clean_desk(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """AppKit and rumps keep things for a whole process."""
    rumps.rumps.NSApp._ns_to_py_and_callback.clear()
    AppKit.NSStatusBar.items.clear()
    monkeypatch.setattr(Foundation.NSRunLoop, "_only", None)
    monkeypatch.setattr(AppKit.NSApplication, "_only", None)
    while not AppHelper._calls.empty():
        AppHelper._calls.get()
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    with watcher(tmp_path / "state"):
        yield tmp_path / "state"


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


def now(id_: str, verdict: str = WORKING, **more: Any) -> SessionStatus:
    return session(id_, verdict, **{"since": time.time(), **more})


def test_title_and_menu_show_the_board(home: Path) -> None:
    sub = agent("p", NEEDS_APPROVAL, type="Plan", parent="main", since=time.time())
    put(home, now("a", NEEDS_APPROVAL, agents=(agent(since=time.time()), sub)), now("b"))

    def story(person: Person) -> None:
        found = person.until("b-name")
        assert found[0] == "▲ a · a-name · now"
        assert found[1][:4] == [
            "needs approval · now",
            "● main · working · now",
            "▲ Plan · needs approval · now",
            "---",
        ]
        assert found[1][4:] == [
            "Go to the terminal",
            "Explain",
            "Copy the session id",
            "Open the project",
            "Mute this project's notifications",
        ]
        assert found[4:6] == ["---", "Notifications"]
        assert found[-2:] == ["Open at login", "Quit yourturn"]
        assert person.title() == "▲1 ●1"

    play(home, story)


def test_there_is_no_icon_in_the_dock(home: Path) -> None:
    play(home, lambda person: person.until("Quit"))
    assert AppKit.NSApplication.sharedApplication().policy == 1


def test_a_change_moves_the_row_and_makes_nothing_anew(home: Path) -> None:
    put(home, now("a"), now("b"))

    def story(person: Person) -> None:
        person.until("b-name")
        row = person.bar.rows["session", "b", ""]
        put(home, now("b", NEEDS_APPROVAL))
        found = person.until("▲ b")
        assert [found[0], found[2]] == ["▲ b · b-name · now", "● a · a-name · now"]
        assert person.bar.rows["session", "b", ""] is row
        assert person.title() == "▲1 ●1"

    play(home, story)


def test_what_is_gone_is_forgotten_by_rumps_as_well(home: Path) -> None:
    put(home, now("stays"))
    registry = rumps.rumps.NSApp._ns_to_py_and_callback

    def story(person: Person) -> None:
        person.until("stays")
        before, before_rows = len(registry), len(person.bar.rows)
        for number in range(20):
            put(home, now(f"guest{number}", detail="here"))
            person.until(f"guest{number}")
            (home / "status" / f"guest{number}.json").unlink()
            person.until("stays", gone="guest")
        assert len(registry) == before
        assert len(person.bar.rows) == before_rows

    play(home, story)


def test_nothing_is_drawn_again_while_nothing_changes(home: Path) -> None:
    put(home, now("a"))

    def story(person: Person) -> None:
        person.until("a-name")
        made = AppKit.NSMenuItem.made
        written = person.ask(lambda: len(AppKit.NSStatusBar.items[0].menu.items[0].titles))
        person.ask(lambda: person.bar.tick(None))
        assert AppKit.NSMenuItem.made == made
        assert person.ask(lambda: len(AppKit.NSStatusBar.items[0].menu.items[0].titles)) == written

    play(home, story)


def test_an_open_menu_ticks_and_gets_new_words_in_the_old_places(home: Path) -> None:
    put(home, now("a"), now("b"))

    def story(person: Person) -> None:
        person.until("b-name")
        person.opens_menu(is_open=True)
        put(home, now("c"), now("b", NEEDS_APPROVAL))
        found = person.until("▲ b")
        assert [found[0], found[2]] == ["● a · a-name · now", "▲ b · b-name · now"]
        assert person.title() == "▲1 ●2"
        loop = Foundation.NSRunLoop
        assert person.ask(lambda: loop.currentRunLoop().fire(Foundation.NSEventTrackingRunLoopMode)) == 1
        assert "c-name" not in str(person.titles())
        person.opens_menu(is_open=False)
        assert person.titles()[0] == "▲ b · b-name · now"
        assert "c-name" in str(person.titles())

    play(home, story)


def test_a_click_reaches_the_action_and_the_answer_stands_in_the_menu(home: Path) -> None:
    put(home, now("a", cwd="/nowhere/at/all"))

    def story(person: Person) -> None:
        person.until("Open the project")
        person.click("Open the project")
        found = person.until("The folder /nowhere/at/all no longer exists.")
        assert found[3:6] == ["✕ The folder /nowhere/at/all no longer exists.", "---", "Notifications"]

    play(home, story)


def test_a_callback_that_raises_is_reported_and_shown(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put(home, now("a"))

    def story(person: Person) -> None:
        def broken(_: Choice) -> None:
            raise ValueError("broken on purpose")

        person.until("Explain")
        monkeypatch.setattr(person.bar, "choose", broken)
        person.click("Explain")
        person.until("Internal error: ValueError")

    play(home, story)
    assert "broken on purpose" in capsys.readouterr().err


def test_what_is_chosen_has_a_tick_and_the_same_title(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YOURTURN_HOME", str(home))
    (home / "config.toml").write_text("# mine\n")

    def story(person: Person) -> None:
        person.until("Show notifications")
        assert (person.tick("Show notifications"), person.tick("Play a sound"), person.tick("Quit")) == (1, 0, 0)
        person.click("Play a sound")
        person.until_ticked("Play a sound")
        assert (home / "config.toml").read_text() == "# mine\n\n[notify]\nsound = true\n"
        person.click("after at least 5 minutes")
        person.until_ticked("after at least 5 minutes")
        assert person.tick("after at least 1 minute") == 0

    play(home, story)


def test_a_tick_changes_in_an_open_menu_too(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YOURTURN_HOME", str(home))

    def story(person: Person) -> None:
        person.until("Play a sound")
        person.opens_menu(is_open=True)
        (home / "config.toml").write_text("[notify]\nsound = true\n")
        person.until_ticked("Play a sound")

    play(home, story)


# One, however often it is started

STARTED = """
import sys
sys.path.insert(0, sys.argv[1])
from PyObjCTools import AppHelper
AppHelper.runEventLoop = sys.stdin.read
from statusbar import menubar
sys.exit(menubar.run(None))
"""


def start(home: Path) -> "subprocess.Popen[str]":
    """A menubar in a process of its own."""
    argv = [sys.executable, "-c", STARTED, f"{TESTS}/support/appkit"]
    pipe = subprocess.PIPE
    return subprocess.Popen(argv, env=environ(home), cwd=PROJECT, stdin=pipe, stderr=pipe, text=True)


def until_held_by(home: Path, pid: int) -> None:
    lock = home / "bar.lock"
    until(lambda: lock.exists() and lock.read_text() == str(pid), f"the lock in the hands of {pid}")


def test_a_second_menubar_says_who_is_there_and_ends(home: Path) -> None:
    with start(home) as first:
        until_held_by(home, first.pid)
        with start(home) as second:
            _, said = second.communicate(timeout=PATIENCE_S)
        assert (second.returncode, said) == (
            0,
            f"yourturn: the menu bar icon is already running (process {first.pid}).\n",
        )
        first.kill()


def test_one_that_was_killed_does_not_keep_the_next_one_out(home: Path) -> None:
    with start(home) as first:
        until_held_by(home, first.pid)
        first.kill()
        first.wait()
        with start(home) as second:
            until_held_by(home, second.pid)
            second.kill()


def test_the_lock_goes_with_the_menubar_and_what_it_wrote_for_a_person(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("YOURTURN_HOME", str(tmp_path))
    folder = Path(explain_window.written(now("a"), "", time.time())).parent
    AppHelper.callAfter(rumps.quit_application)
    with pytest.raises(AppKit.Terminated):
        menubar.run(None)  # type: ignore[arg-type]
    assert not store.is_locked(bar.lock(str(tmp_path)))
    assert not folder.exists()


def test_quit_is_an_item_of_the_menu(home: Path) -> None:
    def story(person: Person) -> None:
        person.until("Quit")
        person.click("Quit")

    play(home, story, quits=False)


def test_being_told_to_end_is_to_quit(home: Path) -> None:
    def story(person: Person) -> None:
        person.until("Quit")
        os.kill(os.getpid(), signal.SIGTERM)

    play(home, story, quits=False)


def test_a_dead_follower_is_visible(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(home, now("a"))

    def story(person: Person) -> None:
        person.until("a-name")

        def show(_: Menu) -> None:
            raise ValueError("cannot go on")

        person.bar.controller._show = show
        put(home, now("a", WAITING))
        person.bar.controller._thread.join(PATIENCE_S)
        person.ask(lambda: Foundation.NSRunLoop.currentRunLoop().fire(Foundation.NSDefaultRunLoopMode))
        assert person.title() == "✕ ●1"

    play(home, story)
    assert "cannot go on" in capsys.readouterr().err


def test_drawing_off_the_main_thread_would_be_caught(home: Path) -> None:
    """The stand-in is strict, or the tests above would prove nothing."""
    item = AppKit.NSMenuItem.alloc().initWithTitle_action_keyEquivalent_("x", None, "")
    with pytest.raises(Foundation.UnknownSelectorError):
        item.setColour_("red")
    caught: list[BaseException] = []

    def draw() -> None:
        try:
            item.setTitle_("y")
        except Foundation.OffMainThreadError as error:
            caught.append(error)

    thread = threading.Thread(target=draw)
    thread.start()
    thread.join()
    assert caught


def test_hostile_names_are_drawn_and_nothing_breaks(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(home, *map(hostile, HOSTILE.values()), now("good"))

    def story(person: Person) -> None:
        found = person.until("good-name")
        assert len([one for one in found if isinstance(one, list)]) == len(HOSTILE) + 2, "and the notifications"
        flat = [one for part in found for one in (part if isinstance(part, list) else [part])]
        assert all(one.isprintable() and width(one) <= WIDEST + 6 for one in flat)
        for id_ in HOSTILE.values():
            AppHelper.callAfter(person.bar.choose, Choice(Action.OPEN_PROJECT, id_))
        person.until("The folder")
        (home / "status" / "good.json").unlink()
        person.until("▲", gone="good-name")

    play(home, story)
    assert capsys.readouterr().err == ""


def test_what_is_not_a_status_is_counted_and_the_rest_is_shown(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(home, now("good"))
    number = litter(home)

    def story(person: Person) -> None:
        found = str(person.until("good-name"))
        assert "later-name" in found
        assert f"{number} status files could not be read" in found

    play(home, story)
    assert capsys.readouterr().err == ""


def test_without_rumps_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(menubar, "rumps", None)
    monkeypatch.setattr(sys, "platform", "darwin")
    assert menubar.run(None) == 1  # type: ignore[arg-type]
    assert "pip install 'yourturn[macos]'" in capsys.readouterr().err


def test_where_there_is_no_menubar_it_says_what_there_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(menubar, "rumps", None)
    monkeypatch.setattr(sys, "platform", "linux")
    assert menubar.run(None) == 1  # type: ignore[arg-type]
    said = capsys.readouterr().err
    assert said == "yourturn: the menu bar icon is for macOS. Here: yourturn tray, or in a terminal: yourturn top\n"


def test_the_state_folder_is_private_before_rumps_could_make_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("YOURTURN_HOME", str(tmp_path / "yourturn"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(sys, "_framework", "Python", raising=False)
    monkeypatch.setattr("platform.mac_ver", lambda: ("26.1", ("", "", ""), "arm64"))
    AppHelper.callAfter(rumps.quit_application)
    with pytest.raises(AppKit.Terminated):
        menubar.run(None)  # type: ignore[arg-type]
    assert stat.S_IMODE((tmp_path / "yourturn").stat().st_mode) == 0o700
    assert "framework build" in capsys.readouterr().err
