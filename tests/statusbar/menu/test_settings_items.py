"""What is switched in the menu of tray and menubar, and what comes of it."""

from __future__ import annotations

import os
import time
import tomllib
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from typing import TYPE_CHECKING

import pytest

from contract import bar_files, store
from statusbar.demo import flag
from statusbar.menu import settings_actions
from statusbar.menu.controller import Controller
from statusbar.menu.model import Choice, Item, Menu, MenuAction, every
from statusbar.settings import settings
from statusbar.system.cached_file import CachedFile
from support.command import yourturn
from support.patience import PATIENCE_S
from support.showing import put, session

if TYPE_CHECKING:
    from collections.abc import Iterator

SOUND = Choice(MenuAction.SET, setting="notify.sound", value=True)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state folder with a session in a folder that exists."""
    monkeypatch.setenv("YOURTURN_HOME", str(tmp_path))
    put(tmp_path, session("a", cwd=str(tmp_path / "proj"), since=time.time()))
    return tmp_path


class Person:
    """Looks at the menu and chooses from it."""

    def __init__(self, controller: Controller, menus: Queue[Menu]) -> None:
        self.controller, self.menus = controller, menus

    def until(self, words: str, *, is_on: bool | None = None) -> Item:
        """The item of that name, once it is there; ticked or not if that is asked for."""
        while True:
            items = every(self.menus.get(timeout=PATIENCE_S).items)
            found = next((one for one in items if words in one.title), None)
            if found and (is_on is None or (found.tick and found.tick.is_on is is_on)):
                return found

    def chooses(self, item: Item) -> None:
        assert item.choice
        self.controller.choose(item.choice)


@contextmanager
def watched(home: Path) -> Iterator[Person]:
    menus: Queue[Menu] = Queue()
    with Controller(str(home), menus.put) as controller:
        yield Person(controller, menus)


def config(home: Path) -> Path:
    return home / "config.toml"


# Settings


def test_an_item_that_is_chosen_changes_the_file_and_the_menu(home: Path) -> None:
    config(home).write_text("# mine\n[notify]\nenabled = true # of course\n")
    with watched(home) as person:
        person.chooses(person.until("Show notifications", is_on=True))
        person.chooses(person.until("Show notifications", is_on=False))
        person.until("Show notifications", is_on=True)
    assert config(home).read_text() == "# mine\n[notify]\nenabled = true # of course\n"


def test_of_several_lengths_one_is_ticked_and_never_is_one_of_them(home: Path) -> None:
    with watched(home) as person:
        person.chooses(person.until("never", is_on=False))
        person.until("never", is_on=True)
    assert config(home).read_text() == "[notify]\nafter_s = inf\n"
    assert settings.load(os.environ).after_s == float("inf")


def test_what_is_changed_in_a_terminal_is_ticked_without_a_restart(home: Path) -> None:
    with watched(home) as person:
        person.until("Play a sound", is_on=False)
        assert yourturn(home, "config", "notify.sound", "on").returncode == 0
        person.until("Play a sound", is_on=True)


def test_the_last_word_counts_however_fast_it_was_said(home: Path) -> None:
    with watched(home) as person:
        person.until("Play a sound")
        for number in range(20):
            person.controller.choose(SOUND._replace(value=number % 2 == 0))
        assert person.controller._latest
        person.controller._latest.join()
    assert tomllib.loads(config(home).read_text()) == {"notify": {"sound": False}}


def test_a_file_that_cannot_be_changed_is_left_alone_and_the_reason_stands_in_the_menu(home: Path) -> None:
    config(home).write_text("[[notify]]\nsound = false\n")
    with watched(home) as person:
        person.chooses(person.until("Play a sound"))
        assert person.until("Could not change a setting").title.startswith("✕ Could not change a setting: notify.sound")
    assert config(home).read_text() == "[[notify]]\nsound = false\n"


def test_a_broken_file_is_named_in_the_menu(home: Path) -> None:
    config(home).write_text("nonsense\n")
    with watched(home) as person:
        assert person.until(str(config(home))[:20]).title.startswith("✕ ")


# Projects


def test_a_project_is_muted_and_unmuted(home: Path) -> None:
    with watched(home) as person:
        person.chooses(person.until("Mute this project", is_on=False))
        person.chooses(person.until("Mute this project", is_on=True))
        person.until("Mute this project", is_on=False)
        assert tomllib.loads(config(home).read_text()) == {"notify": {"mute": []}}


def test_to_mute_one_project_leaves_the_others_muted(home: Path) -> None:
    yourturn(home, "config", "notify.mute", "/else/where:/and/there")
    with watched(home) as person:
        person.chooses(person.until("Mute this project", is_on=False))
        person.until("Mute this project", is_on=True)
    assert settings.load(os.environ).mute == ("/else/where", "/and/there", str(home / "proj"))


@pytest.mark.parametrize("spelling", ["{}", "{}/", "{}/../proj", "~/proj"])
def test_a_muted_project_is_unmuted_however_it_is_spelled(
    spelling: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(home))
    config(home).write_text(f'[notify]\nmute = ["{spelling.format(home / "proj")}"]\n')
    with watched(home) as person:
        person.chooses(person.until("Mute this project", is_on=True))
        person.until("Mute this project", is_on=False)


def test_a_folder_above_stays_muted_and_that_is_said(home: Path) -> None:
    yourturn(home, "config", "notify.mute", str(home))
    with watched(home) as person:
        person.chooses(person.until("Mute this project", is_on=True))
        person.until("A folder above this project is muted too.")
    assert settings.load(os.environ).mute == (str(home),)


def test_a_session_that_has_ended_mutes_nothing(home: Path) -> None:
    assert settings_actions.do(Choice(MenuAction.MUTE, "b", value=True), None, os.environ) == "This session has ended."
    assert not config(home).exists()


def test_a_folder_that_is_no_text_is_not_muted(home: Path) -> None:
    one = session("a", cwd="/half/\ud800")
    said = settings_actions.do(Choice(MenuAction.MUTE, "a", value=True), one, os.environ)
    assert "not valid text" in said
    assert not config(home).exists()


# At login


def test_the_bar_opens_at_login_if_a_person_wants_it(home: Path, borrowed_home: Path) -> None:
    path = Path(bar_files.login(os.environ))
    with watched(home) as person:
        person.chooses(person.until("Open at login", is_on=False))
        opened = person.until("Open at login", is_on=True)
        assert path.exists()
        assert borrowed_home in path.parents
        person.chooses(opened)
        person.until("Open at login", is_on=False)
    assert not path.exists()


def test_why_it_cannot_open_at_login_stands_in_the_menu(home: Path) -> None:
    path = Path(bar_files.login(os.environ))
    path.parent.mkdir(parents=True)
    path.write_text("of somebody else")
    with watched(home) as person:
        person.chooses(person.until("Open at login", is_on=False))
        person.until("Move it away, then run this again.")
    assert path.read_text() == "of somebody else"


def test_a_play_is_not_opened_at_login(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(flag.NAME, "demo")
    menus: Queue[Menu] = Queue()
    with Controller(str(home), menus.put):
        assert "Open at login" not in [one.title for one in menus.get(timeout=PATIENCE_S).items]


@pytest.mark.parametrize("line", ["Hidden=true", "Hidden = true", "X-GNOME-Autostart-enabled=false"])
def test_what_was_switched_off_in_the_settings_of_a_desktop_is_off(line: str, tmp_path: Path) -> None:
    path = tmp_path / "yourturn.desktop"
    path.write_text("[Desktop Entry]\nExec=env /p /yourturn.py up\n")
    assert bar_files.opens_at_login(str(path))
    path.write_text(f"{path.read_text()}{line}\n")
    assert not bar_files.opens_at_login(str(path))


def test_a_link_opens_nothing(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("yourturn.py")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert bar_files.opens_at_login(str(tmp_path / "real"))
    assert not bar_files.opens_at_login(str(tmp_path / "link"))
    assert not bar_files.opens_at_login(str(tmp_path))


# What it costs to look


def test_a_file_is_read_again_only_when_it_is_another_one(tmp_path: Path) -> None:
    path, reads = tmp_path / "file", []

    def read() -> str | None:
        reads.append(1)
        return path.read_text() if path.exists() else None

    kept = CachedFile(str(path), read)
    assert [kept.now(), kept.now(), len(reads)] == [None, None, 1]
    path.write_text("one")
    assert [kept.now(), kept.now(), len(reads)] == ["one", "one", 2]
    store.replace(str(path), b"two")
    assert [kept.now(), kept.now(), len(reads)] == ["two", "two", 3]
    path.unlink()
    assert [kept.now(), kept.now(), len(reads)] == [None, None, 4]


def test_behind_a_link_it_is_the_file_that_counts(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "file")
    kept = CachedFile(str(tmp_path / "link"), (tmp_path / "file").exists)
    assert not kept.now()
    (tmp_path / "file").touch()
    assert kept.now()
