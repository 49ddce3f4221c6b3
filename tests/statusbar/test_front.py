"""Which front end shows the agents, and what an icon would need."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from contract.status import SessionStatus
from statusbar import front
from support.patience import PATIENCE_S
from support.project import PROJECT
from support.showing import environ, put, session, watcher


@pytest.mark.parametrize(
    ("wanted", "possible", "chosen"),
    [
        ("auto", {"menubar": True, "tray": False, "terminal": True}, "menubar"),
        ("auto", {"menubar": False, "tray": True, "terminal": True}, "tray"),
        ("auto", {"menubar": False, "tray": False, "terminal": True}, "terminal"),
        ("auto", {"menubar": False, "tray": False, "terminal": False}, ""),
        ("tray", {"menubar": False, "tray": False, "terminal": True}, "tray"),
    ],
)
def test_the_front_end_is_the_one_asked_for_or_the_first_that_is_possible(
    wanted: str, possible: dict[str, bool], chosen: str
) -> None:
    assert front.choose(wanted, possible) == chosen


def test_without_a_desktop_there_is_the_terminal_or_nothing() -> None:
    for is_terminal in (True, False):
        found = front.possible({"SSH_CONNECTION": "1 2 3 4"}, is_terminal=is_terminal)
        assert found == {"menubar": False, "tray": False, "terminal": is_terminal}


@pytest.mark.parametrize(
    ("platform", "env", "package"),
    [
        ("linux", {"DISPLAY": ":0"}, "dbus-fast"),
        ("linux", {"WAYLAND_DISPLAY": "w"}, "dbus-fast"),
        ("linux", {}, ""),
        ("linux", {"DISPLAY": ":0", "SSH_CONNECTION": "1 2 3 4"}, ""),
        ("darwin", {}, "rumps"),
    ],
)
def test_on_a_desktop_it_is_known_what_an_icon_would_need(
    platform: str, env: dict[str, str], package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert front.lacking(env, lambda _front: False) == package
    assert front.lacking(env, lambda _front: True) == ""


def test_up_says_the_line_that_adds_what_an_icon_needs(tmp_path: Path) -> None:
    code = "import sys; sys.modules['dbus_fast'] = None; import yourturn; yourturn.main(['up'])"
    env = environ(tmp_path / "state", DISPLAY=":0")
    found = subprocess.run(
        [sys.executable, "-c", code], env=env, cwd=PROJECT, capture_output=True, text=True, check=False
    )
    assert found.stderr.startswith(f"yourturn: for an icon, add dbus-fast: make -C {PROJECT} setup\n")


@pytest.mark.parametrize(
    "there", [(), (session("h", hidden=True),), (session("a"),)], ids=["nobody", "a helper", "one"]
)
def test_whether_anybody_is_there_is_known_after_the_first_look(
    there: tuple[SessionStatus, ...], tmp_path: Path
) -> None:
    put(tmp_path, *there)
    with watcher(tmp_path, time.time()):
        assert front.has_agents(str(tmp_path), PATIENCE_S) == any(not one.hidden for one in there)


def test_without_a_watcher_patience_ends() -> None:
    assert not front.has_agents("/nowhere", 0)
