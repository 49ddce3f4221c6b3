"""What the menubar draws and what its clicks do: the real rumps over a strict stand-in for AppKit."""

import threading
import time
from pathlib import Path

import pytest

from contract.status import NEEDS_APPROVAL, WAITING
from statusbar.menu.build import WIDEST
from statusbar.menu.model import Choice, Menu
from statusbar.model.rows import Action
from statusbar.text.width import width
from support.menubars import AppHelper, AppKit, Foundation, Person, play, rumps
from support.patience import PATIENCE_S
from support.showing import HOSTILE, agent, hostile, just_now, litter, put


def test_title_and_menu_show_the_board(home: Path) -> None:
    sub = agent("p", NEEDS_APPROVAL, type="Plan", parent="main", since=time.time())
    put(home, just_now("a", NEEDS_APPROVAL, agents=(agent(since=time.time()), sub)), just_now("b"))

    def story(person: Person) -> None:
        found = person.until("b-name")
        assert found[:4] == ["Go to a", "---", "1 needs you, 1 working", "▲ a · a-name · now"]
        assert found[4] == [
            "needs approval · now",
            "Go to the terminal",
            "Explain",
            "Copy the session id",
            "Open the project",
            "Mute this project's notifications",
            "---",
            "Agents",
            "● main · working · now",
            "▲ Plan · needs approval · now",
        ]
        assert found[7:10] == ["---", "yourturn", "Notifications"]
        assert found[-2:] == ["Open at login", "Quit yourturn"]
        assert person.title() == "▲1 ●1"

    play(home, story)


def test_there_is_no_icon_in_the_dock(home: Path) -> None:
    play(home, lambda person: person.until("Quit"))
    assert AppKit.NSApplication.sharedApplication().policy == 1


def test_a_change_moves_the_row_and_makes_nothing_anew(home: Path) -> None:
    put(home, just_now("a"), just_now("b"))

    def story(person: Person) -> None:
        person.until("b-name")
        row = person.bar.rows["session", "b", ""]
        put(home, just_now("b", NEEDS_APPROVAL))
        found = person.until("▲ b")
        assert found[:4] == ["Go to b", "---", "1 needs you, 1 working", "▲ b · b-name · now"]
        assert found[5] == "● a · a-name · now"
        assert person.bar.rows["session", "b", ""] is row
        assert person.title() == "▲1 ●1"

    play(home, story)


def test_what_is_gone_is_forgotten_by_rumps_as_well(home: Path) -> None:
    put(home, just_now("stays"))
    registry = rumps.rumps.NSApp._ns_to_py_and_callback

    def story(person: Person) -> None:
        person.until("stays")
        before, before_rows = len(registry), len(person.bar.rows)
        for number in range(20):
            put(home, just_now(f"guest{number}", detail="here"))
            person.until(f"guest{number}")
            (home / "status" / f"guest{number}.json").unlink()
            person.until("stays", gone="guest")
        assert len(registry) == before
        assert len(person.bar.rows) == before_rows

    play(home, story)


def test_nothing_is_drawn_again_while_nothing_changes(home: Path) -> None:
    put(home, just_now("a"))

    def story(person: Person) -> None:
        person.until("a-name")
        made = AppKit.NSMenuItem.made
        written = person.ask(lambda: len(AppKit.NSStatusBar.items[0].menu.items[0].titles))
        person.ask(lambda: person.bar.tick(None))
        assert AppKit.NSMenuItem.made == made
        assert person.ask(lambda: len(AppKit.NSStatusBar.items[0].menu.items[0].titles)) == written

    play(home, story)


def test_an_open_menu_ticks_and_gets_new_words_in_the_old_places(home: Path) -> None:
    put(home, just_now("a"), just_now("b"))

    def story(person: Person) -> None:
        person.until("b-name")
        person.opens_menu(is_open=True)
        put(home, just_now("c"), just_now("b", NEEDS_APPROVAL))
        found = person.until("▲ b")
        assert [found[1], found[3]] == ["● a · a-name · now", "▲ b · b-name · now"]
        assert person.title() == "▲1 ●2"
        loop = Foundation.NSRunLoop
        assert person.ask(lambda: loop.currentRunLoop().fire(Foundation.NSEventTrackingRunLoopMode)) == 1
        assert "c-name" not in str(person.titles())
        person.opens_menu(is_open=False)
        assert person.titles()[0] == "Go to b"
        assert "c-name" in str(person.titles())

    play(home, story)


def test_a_click_reaches_the_action_and_the_answer_stands_in_the_menu(home: Path) -> None:
    put(home, just_now("a", cwd="/nowhere/at/all"))

    def story(person: Person) -> None:
        person.until("Open the project")
        person.click("Open the project")
        found = person.until("The folder /nowhere/at/all no longer exists.")
        assert found[4:7] == ["✕ The folder /nowhere/at/all no longer exists.", "---", "yourturn"]

    play(home, story)


def test_a_callback_that_raises_is_reported_and_shown(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put(home, just_now("a"))

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


def test_a_dead_follower_is_visible(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(home, just_now("a"))

    def story(person: Person) -> None:
        person.until("a-name")

        def show(_: Menu) -> None:
            raise ValueError("cannot go on")

        person.bar.controller._show = show
        put(home, just_now("a", WAITING))
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
    put(home, *map(hostile, HOSTILE.values()), just_now("good"))

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
    put(home, just_now("good"))
    number = litter(home)

    def story(person: Person) -> None:
        found = str(person.until("good-name"))
        assert "later-name" in found
        assert f"{number} status files could not be read" in found

    play(home, story)
    assert capsys.readouterr().err == ""
