"""Notifications: what reaches the programs that show them, and what comes back from a click."""

import re
import select
import shlex
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from contract import store
from contract.status import WAITING, SessionStatus
from statusbar.notifications import desktop
from statusbar.notifications.desktop import Way
from statusbar.notifications.notify import MOST, Notifier
from statusbar.notifications.rules import SETTLE_S, collapsed
from statusbar.system import osascript
from statusbar.terminals import go as focus
from support.command import YOURTURN, yourturn
from support.desktop_programs import BUS, NOTHING, calls, program
from support.needs import need
from support.noticing import ASKS, NOTICE, WORKS, many, said
from support.panes import attached, inner, new_pane
from support.patience import PATIENCE_S, until
from support.project import PROJECT
from support.showing import HOSTILE, NOW, environ, hostile, put, session, statuses, terminal, watcher

# What reaches the programs


def test_notify_send_gets_words_that_are_no_options_and_no_markup() -> None:
    evil = NOTICE._replace(title="-x", body="<b>&\\074b\\n")
    argv = desktop.argv(Way.CLICKABLE, evil, sound=True)
    assert argv == [
        "notify-send", "--app-name=yourturn", "--urgency=critical", "--hint=string:sound-name:message-new-instant",
        "--print-id", "--action=default=Go to the terminal", "--", "-x", "&lt;b&gt;&amp;\\\\074b\\\\n",
    ]  # fmt: skip
    plain = desktop.argv(Way.NOTIFY_SEND, NOTICE._replace(state=WAITING), sound=False)
    assert plain == ["notify-send", "--app-name=yourturn", "--urgency=normal", "--", NOTICE.title, NOTICE.body]


def test_a_notice_for_many_cannot_be_clicked() -> None:
    assert "--action" not in str(desktop.argv(Way.CLICKABLE, collapsed(many(5))[0], sound=False))


def test_osascript_gets_a_fixed_script_and_the_words_as_arguments() -> None:
    evil = NOTICE._replace(title='" & (do shell script "touch x") & "', body="-e evil")
    argv = desktop.argv(Way.OSASCRIPT, evil, sound=True)
    assert argv == ["osascript", "-e", desktop.SCRIPT.strip(), osascript.END_OF_OPTIONS, evil.title, evil.body, "Glass"]
    assert desktop.argv(Way.OSASCRIPT, evil, sound=False)[-1] == ""


def test_gdbus_sends_the_very_words_over_a_real_bus(tmp_path: Path) -> None:
    """Nobody answers on this bus, but what was asked of nobody can be overheard."""
    need("dbus-daemon", "dbus-run-session", "dbus-monitor", "gdbus")
    texts = ["plain", "it's \"quoted\" \\ and 'more'", "-x", "'a', 'b'", "<b>&", "@as []", "漢字 %s $(touch x)"]
    calls = [desktop.argv(Way.GDBUS, NOTICE._replace(title=one, body=one), sound=True) for one in texts]
    script = tmp_path / "calls.py"
    script.write_text(f"""
import subprocess, sys
listener = subprocess.Popen(["dbus-monitor", "--session", "interface={desktop.BUS}"], stdout=subprocess.PIPE, text=True)
while "NameLost" not in listener.stdout.readline(): pass
for argv in {calls!r}:
    subprocess.run(argv, capture_output=True)
subprocess.run(["gdbus", "emit", "--session", "--object-path", "/x", "--signal", "{desktop.BUS}.Over"])
for line in listener.stdout:
    print(line, end="")
    if "member=Over" in line: break
listener.kill()
""")
    argv = ["dbus-run-session", "--", sys.executable, str(script)]
    found = subprocess.run(
        argv, capture_output=True, text=True, env=environ(tmp_path), check=True, timeout=PATIENCE_S
    ).stdout
    words = [re.findall(r'^   string "(.*)"$', one, re.MULTILINE) for one in found.split("member=Notify")[1:]]
    assert [one[:4] for one in words] == [["yourturn", "", one, desktop.markup(one)] for one in texts]


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_words_are_cleaned_before_they_are_told(text: str) -> None:
    found = said((hostile(text),))
    assert found
    for notice in found:
        assert notice.title.isprintable()
        assert notice.body.isprintable()
        assert len(notice.title) < 80
        assert len(notice.body) <= 160
        for how in Way:
            argv = desktop.argv(how, notice, sound=True)
            assert not [word for word in argv if "\0" in word]


# The way to a person


def test_the_best_way_that_is_there_is_taken(tools: Path, tmp_path: Path) -> None:
    assert desktop.way({}, "linux") is Way.BELL
    assert desktop.way(BUS, "linux") is Way.BELL, "a bus, and nothing to speak over it"
    program(tools, "notify-send")
    assert desktop.way(BUS, "linux") is Way.CLICKABLE
    assert desktop.way({}, "linux") is Way.BELL
    (tools / "notify-send").write_text("#!/bin/sh\n")
    assert desktop.way(BUS, "linux") is Way.NOTIFY_SEND
    program(tools, "gdbus")
    assert desktop.way(BUS, "linux") is Way.GDBUS
    (tools / "gdbus").unlink()
    (tmp_path / "bus").touch()
    assert desktop.way({"XDG_RUNTIME_DIR": str(tmp_path)}, "linux") is Way.NOTIFY_SEND
    assert desktop.way(BUS, "darwin") is Way.BELL
    program(tools, "osascript")
    assert desktop.way({}, "darwin") is Way.OSASCRIPT


class Person:
    """Looks, waits until the program that was started has spoken, and remembers where they were taken."""

    def __init__(self, home: Path, env: Mapping[str, str] = NOTHING, *, ending_s: float = PATIENCE_S) -> None:
        store.private_folder(str(home))
        self.went: list[str] = []
        self.told: list[str] = []
        self.arrived = threading.Event()
        known = {"YOURTURN_HOME": str(home), **env}
        self.notifier = Notifier(str(home), known, tell=self.told.append, go=self.go, ending_s=ending_s)
        self.notifier.look(statuses(), NOW)

    def go(self, one: SessionStatus) -> str:
        self.went.append(one.session_id)
        self.arrived.wait(PATIENCE_S)
        return "Could not go."

    def look(self, *sessions: SessionStatus, now: float = NOW) -> None:
        """Twice, because a request must stand for a moment before it is told."""
        found = statuses(*sessions)
        for moment in (now, now + SETTLE_S):
            self.notifier.look(found, moment)
        while waiting := self.notifier.descriptors():
            heard, _, _ = select.select(waiting, (), (), PATIENCE_S)
            assert heard, "the program that was started never spoke"
            self.notifier.read(heard)


@pytest.mark.parametrize("text", ["Bash: npm test", *HOSTILE.values()], ids=["plain", *HOSTILE])
def test_a_notification_reaches_notify_send_as_it_was_planned(text: str, tools: Path, tmp_path: Path) -> None:
    heard = program(tools, "notify-send")
    person = Person(tmp_path, BUS)
    person.look(ASKS._replace(name=text, agents=(ASKS.agents[0]._replace(detail=text),)))
    person.look(ASKS._replace(name=text, agents=(ASKS.agents[0]._replace(detail=text),)))
    ((*options, title, body),) = calls(heard)
    assert options == [
        "--app-name=yourturn",
        "--urgency=critical",
        "--print-id",
        "--action=default=Go to the terminal",
        "--",
    ]
    assert title.endswith(" needs approval")
    assert "<" not in body
    assert person.told == person.went == []
    with person.notifier:
        pass


def test_a_click_goes_to_the_terminal_and_what_could_not_be_done_is_said(tools: Path, tmp_path: Path) -> None:
    program(tools, "notify-send", "print('default')")
    person = Person(tmp_path, BUS)
    person.look(ASKS)
    assert person.told == [], "a terminal that takes its time must not stop the bar"
    (visit,) = [one for one in threading.enumerate() if one.name == "go"]
    person.arrived.set()
    visit.join(PATIENCE_S)
    assert person.went == ["a"]
    assert person.told == ["Could not go."]


def test_a_notification_that_is_closed_goes_nowhere(tools: Path, tmp_path: Path) -> None:
    program(tools, "notify-send", "print('closed')")
    person = Person(tmp_path, BUS)
    person.look(ASKS)
    assert person.went == []


def test_a_desktop_that_shows_nothing_leaves_the_bell(tools: Path, tmp_path: Path) -> None:
    program(tools, "notify-send", "sys.exit(1)")
    person = Person(tmp_path, BUS)
    person.look(ASKS)
    assert person.told == ["a needs approval: Bash: npm test"]


def test_without_a_desktop_the_bell_must_do(tools: Path, tmp_path: Path) -> None:
    person = Person(tmp_path)
    person.look(ASKS)
    person.look(ASKS)
    assert person.told == ["a needs approval: Bash: npm test"]


def test_the_settings_count_as_soon_as_they_are_changed(tools: Path, tmp_path: Path) -> None:
    heard = program(tools, "notify-send")
    person = Person(tmp_path, BUS)
    (tmp_path / "config.toml").write_text("[notify]\nenabled = false\n")
    person.look(ASKS)
    assert calls(heard) == []
    (tmp_path / "config.toml").write_text("[notify]\nsound = true\n")
    person.look(ASKS, ASKS._replace(session_id="b"), now=NOW + 10)
    assert "--hint=string:sound-name:message-new-instant" in calls(heard)[0]


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


def test_who_ends_while_a_notification_is_shown_leaves_no_process(tools: Path, tmp_path: Path) -> None:
    program(tools, "notify-send", "import time; time.sleep(3600)")
    person = Person(tmp_path, BUS, ending_s=0.0)
    with person.notifier as notifier:
        notifier.look(statuses(ASKS), NOW)
        notifier.look(statuses(ASKS), NOW + SETTLE_S)
        (shown,) = notifier._waiting
        assert shown.process.poll() is None
    assert shown.process.returncode is not None


def test_only_so_many_wait_for_a_click(tools: Path, tmp_path: Path) -> None:
    program(tools, "notify-send", "import time; time.sleep(3600)")
    person = Person(tmp_path, BUS, ending_s=0.0)
    with person.notifier as notifier:
        for k in range(MOST + 2):
            for moment in (NOW + 10 * k, NOW + 10 * k + SETTLE_S):
                notifier.look(statuses(ASKS._replace(session_id=f"s{k}")), moment)
        waiting = [one.notice.session_id for one in notifier._waiting]
    assert waiting == [f"s{k}" for k in range(2, MOST + 2)]


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


def test_a_test_that_nobody_shows_fails(tools: Path, tmp_path: Path) -> None:
    program(tools, "notify-send", "sys.exit(1)")
    found = yourturn(tmp_path, "notify", "--test", **BUS)
    assert (found.returncode, found.stdout) == (1, "")
    assert "no program on this desktop shows them" in found.stderr


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


def test_a_notification_that_does_not_end_after_its_click_is_ended(tools: Path, tmp_path: Path) -> None:
    program(tools, "notify-send", "import time; print('default', flush=True); time.sleep(3600)")
    person = Person(tmp_path, BUS, ending_s=0.0)
    person.arrived.set()
    person.look(ASKS)
    until(lambda: person.went == ["a"], "the way to the terminal")
