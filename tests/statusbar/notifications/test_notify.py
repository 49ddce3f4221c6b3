"""Notifications: which way they go, and the command."""

import importlib.util
import shlex
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from contract import store
from contract.status import SessionStatus
from statusbar.notifications import desktop
from statusbar.notifications.desktop import Way
from statusbar.notifications.notify import Notifier
from statusbar.notifications.rules import SETTLE_S
from statusbar.terminals import go as focus
from support.command import YOURTURN, yourturn
from support.desktop_programs import BUS, NOTHING, calls, program
from support.noticing import ASKS, WORKS
from support.panes import attached, inner, new_pane
from support.patience import PATIENCE_S, until
from support.project import PROJECT
from support.showing import HOSTILE, NOW, environ, put, session, statuses, terminal, watcher

# The way to a person


def test_the_best_way_that_is_there_is_taken(tools: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name == "dbus_fast")
    assert desktop.way({}, "linux") is Way.BELL
    assert desktop.way(BUS, "linux") is Way.BUS
    (tmp_path / "bus").touch()
    assert desktop.way({"XDG_RUNTIME_DIR": str(tmp_path)}, "linux") is Way.BUS
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    assert desktop.way(BUS, "linux") is Way.BELL, "a bus, and nothing to speak over it"
    program(tools, "notify-send")
    assert desktop.way(BUS, "linux") is Way.NOTIFY_SEND
    assert desktop.way({}, "linux") is Way.BELL
    assert desktop.way(BUS, "darwin") is Way.BELL
    program(tools, "osascript")
    assert desktop.way({}, "darwin") is Way.OSASCRIPT


class Person:
    """Looks, and remembers what they were told."""

    def __init__(self, home: Path, env: Mapping[str, str] = NOTHING) -> None:
        store.private_folder(str(home))
        self.told: list[str] = []
        known = {"YOURTURN_HOME": str(home), **env}
        self.notifier = Notifier(str(home), known, tell=self.told.append, ending_s=PATIENCE_S)
        self.notifier.look(statuses(), NOW)

    def look(self, *sessions: SessionStatus, now: float = NOW) -> None:
        """Twice, because a request must stand for a moment before it is told."""
        found = statuses(*sessions)
        for moment in (now, now + SETTLE_S):
            self.notifier.look(found, moment)


@pytest.fixture
def _no_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where dbus-fast is not installed."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)


@pytest.mark.usefixtures("_no_library")
@pytest.mark.parametrize("text", ["Bash: npm test", *HOSTILE.values()], ids=["plain", *HOSTILE])
def test_a_notification_reaches_notify_send_once_as_it_was_planned(text: str, tools: Path, tmp_path: Path) -> None:
    heard = program(tools, "notify-send")
    person = Person(tmp_path, BUS)
    for _ in range(2):
        person.look(ASKS._replace(name=text, agents=(ASKS.agents[0]._replace(detail=text),)))
    with person.notifier:
        pass
    ((*options, title, body),) = calls(heard)
    assert options == ["--app-name=yourturn", "--urgency=critical", "--hint=boolean:suppress-sound:true", "--"]
    assert title.endswith(" needs approval")
    assert "<" not in body
    assert person.told == []


@pytest.mark.usefixtures("_no_library")
def test_a_desktop_that_shows_nothing_leaves_the_bell(tools: Path, tmp_path: Path) -> None:
    program(tools, "notify-send", "sys.exit(1)")
    person = Person(tmp_path, BUS)
    person.look(ASKS)

    def hear() -> list[str]:
        person.notifier.read([])
        return person.told

    until(hear, "the end of the program")
    assert person.told == ["a needs approval: Bash: npm test"]


def test_without_a_desktop_the_bell_must_do(tools: Path, tmp_path: Path) -> None:
    person = Person(tmp_path)
    person.look(ASKS)
    person.look(ASKS)
    assert person.told == ["a needs approval: Bash: npm test"]


@pytest.mark.usefixtures("_no_library")
def test_the_settings_count_as_soon_as_they_are_changed(tools: Path, tmp_path: Path) -> None:
    heard = program(tools, "notify-send")
    person = Person(tmp_path, BUS)
    with person.notifier:
        (tmp_path / "config.toml").write_text("[notify]\nenabled = false\n")
        person.look(ASKS)
        (tmp_path / "config.toml").write_text('[notify]\nsound = "bell-terminal"\n')
        person.look(ASKS, ASKS._replace(session_id="b"), now=NOW + 10)
    (asked,) = calls(heard)
    assert "--hint=string:sound-name:bell-terminal" in asked


def test_what_was_held_back_is_not_said_once_they_are_off(tools: Path, tmp_path: Path) -> None:
    person = Person(tmp_path)
    person.look(ASKS)
    other = ASKS._replace(session_id="b", name="b-name")
    person.look(ASKS, other, now=NOW + 2)
    assert len(person.told) == 1, "the second one waits for others"
    (tmp_path / "config.toml").write_text("[notify]\nenabled = false\n")
    person.look(ASKS, other, now=NOW + 10)
    (tmp_path / "config.toml").unlink()
    person.look(ASKS, other, now=NOW + 20)
    assert len(person.told) == 1


def test_of_several_front_ends_one_speaks_and_when_it_ends_another(tools: Path, tmp_path: Path) -> None:
    one, other = Person(tmp_path), Person(tmp_path)
    for person in (one, other):
        person.look(ASKS)
    with one.notifier:
        pass
    other.look(ASKS._replace(session_id="b"), now=NOW + 10)
    assert (len(one.told), len(other.told)) == (1, 1)


# Looking at it in a real tmux


def test_a_real_tmux_tells_whether_somebody_looks(tmp_path: Path) -> None:
    with terminal(tmp_path / "state", tmp_path) as one:
        known = attached(one)
        here = inner(one, "display-message", "-p", "#{pane_id}")
        elsewhere = new_pane(one, "new-window")

        def sees(pane: str) -> bool:
            return focus.is_seen(session("a", terminal={**known, "TMUX_PANE": pane}))

        assert not sees(here), "without focus events nobody knows"
        inner(one, "set", "-g", "focus-events", "on")
        assert sees(here)
        assert not sees(elsewhere)
        inner(one, "select-window", "-t", elsewhere)
        assert (sees(here), sees(elsewhere)) == (False, True)
        assert not sees("%99")
        inner(one, "kill-server")
    assert not focus.is_seen(session("a", terminal={**known, "TMUX_PANE": here}))
    assert not focus.is_seen(session("a", terminal={"WINDOWID": "1", "DISPLAY": ":0"}))


# The command


def test_it_runs_until_it_is_ended_and_tells(tmp_path: Path) -> None:
    put(tmp_path, WORKS._replace(since=time.time()))
    argv = [*YOURTURN, "notify"]
    env = environ(tmp_path)
    with (
        watcher(tmp_path),
        subprocess.Popen(argv, stderr=subprocess.PIPE, text=True, env=env, cwd=PROJECT) as one,
    ):
        assert one.stderr
        assert one.stderr.readline() == "Notifying with lines like this one. Settings: yourturn config\n"
        put(tmp_path, ASKS._replace(agents=(ASKS.agents[0]._replace(since=time.time()),)))
        assert one.stderr.readline() == "a needs approval: Bash: npm test\n"
        one.terminate()
        assert one.wait() == 143


def test_a_test_says_which_way_it_went_and_whether_they_are_off(tmp_path: Path) -> None:
    with terminal(tmp_path, tmp_path) as one:
        one.start(*YOURTURN, "notify", "--test")
        found = one.until("Sent with the terminal bell.", "left with 0", gone="Notifications are off")
        assert "yourturn: This is how it looks when an agent needs you." in found
        yourturn(tmp_path, "config", "notify.enabled", "off")
        one.keys(shlex.join([sys.executable, "-m", "statusbar", "notify", "--test"]), "Enter")
        one.until("Notifications are off")


def test_a_test_that_reaches_neither_desktop_nor_terminal_says_so_and_fails(tmp_path: Path) -> None:
    found = yourturn(tmp_path, "notify", "--test")
    assert (found.returncode, found.stdout) == (1, "")
    assert found.stderr.startswith("yourturn: nothing was sent: no desktop")


def test_a_tmux_that_does_not_answer_holds_nobody_for_long(
    tools: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tools, "tmux", "import time; time.sleep(3600)")
    monkeypatch.setattr(focus, "SHORT_PATIENCE_S", 0.05)
    waited: list[float] = []
    run = subprocess.run

    def patiently(*args: Any, timeout: float, **more: Any) -> Any:
        waited.append(timeout)
        return run(*args, timeout=timeout, **more)

    person = Person(tmp_path)
    monkeypatch.setattr(subprocess, "run", patiently)
    person.look(ASKS._replace(terminal={"TMUX": f"{tmp_path}/sock,1,0", "TMUX_PANE": "%1"}))
    assert waited == [0.05], "it gives up at the first question"
    assert len(person.told) == 1, "nobody knows that it is seen"
