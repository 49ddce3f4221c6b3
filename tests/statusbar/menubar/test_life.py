"""How the menubar starts and ends, and that there is one of it."""

import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from contract import bar_files, installation, store
from statusbar.menu import explain_window
from support.menubars import AppHelper, AppKit, Person, menubar, play, rumps
from support.patience import PATIENCE_S, until
from support.project import PROJECT, TESTS
from support.showing import environ, just_now

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
    folder = Path(explain_window.written(just_now("a"), "", time.time())).parent
    AppHelper.callAfter(rumps.quit_application)
    with pytest.raises(AppKit.Terminated):
        menubar.run(None)  # type: ignore[arg-type]
    assert not store.is_locked(bar_files.lock(str(tmp_path)))
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


def test_without_rumps_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(menubar, "rumps", None)
    monkeypatch.setattr(sys, "platform", "darwin")
    assert menubar.run(None) == 1  # type: ignore[arg-type]
    assert installation.adding("rumps") in capsys.readouterr().err


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
