"""Notifications: what is worth one, that nothing is said twice, and what reaches the programs that show them."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import PROJECT
from contract import store
from contract.status import NEEDS_APPROVAL, WAITING, WORKING, SessionStatus
from errand import ERRAND, errand
from panes import attached, inner, new_pane
from showing import HOSTILE, NOW, agent, environ, hostile, put, session, statuses, terminal, watcher
from statusbar import desktop, focus, osascript, story
from statusbar.desktop import Way
from statusbar.notices import Memory, Notice, Outbox, collapsed, due, is_muted, is_quiet
from statusbar.notify import Notifier
from statusbar.settings import Settings

ON = Settings()
ASKS = session("a", NEEDS_APPROVAL, agents=(agent("main", NEEDS_APPROVAL, detail="Bash: npm test", since=NOW),))
WORKS = session("a", WORKING, since=NOW - 300)
WAITS = session("a", WAITING, since=NOW, rule="turn-over")
OTHERS = tuple(replace(one, session_id="b") for one in (ASKS, WORKS, WAITS))
NOTICE = Notice("a", NEEDS_APPROVAL, NOW, "a-name needs approval", "Bash: npm test", "main")


def nobody(_session: SessionStatus) -> bool:
    return False


def said(
    *looks: tuple[SessionStatus, ...], settings: Settings = ON, now: float = NOW, seen: Any = nobody
) -> list[Notice]:
    """What is said at these looks, one after the other; at the first one never anything."""
    memory, found = due(Memory(), (), settings, now, seen)
    for sessions in looks:
        memory, notices = due(memory, sessions, settings, now, seen)
        found += notices
    return found


# What is worth a notification


def test_an_agent_that_becomes_blocked_is_told_of_with_what_it_asks() -> None:
    assert said((WORKS,), (ASKS,)) == [NOTICE]


def test_a_sub_agent_is_named_and_counts_by_itself() -> None:
    sub = agent("x", NEEDS_APPROVAL, type="Plan", detail="Edit: a.py", since=NOW)
    found = said((ASKS,), (replace(ASKS, agents=(*ASKS.agents, sub)),))
    assert [one.body for one in found] == ["Bash: npm test", "Plan: Edit: a.py"]


def test_a_session_that_is_blocked_as_a_whole_is_told_of() -> None:
    assert [one.body for one in said((session("a", NEEDS_APPROVAL, detail="dialog"),))] == ["dialog"]


def test_an_agent_that_waits_after_a_long_turn_is_told_of() -> None:
    (found,) = said((WORKS,), (WAITS,))
    assert (found.title, found.body, found.state) == ("a-name waits for you", "a", WAITING)
    assert said((WORKS,), (replace(WAITS, detail="error: usage limit"),))[0].body == "error: usage limit"


def test_one_that_waits_after_a_short_turn_is_not() -> None:
    assert said((replace(WORKS, since=NOW - 59),), (WAITS,)) == []
    assert said((replace(WORKS, since=NOW - 59),), (WAITS,), settings=Settings(after_s=10)) != []


def test_the_length_of_a_turn_counts_from_its_beginning() -> None:
    resumed = replace(WORKS, since=NOW - 5, detail="2 sub-agents")
    assert said((WORKS,), (resumed,), (WAITS,)) != []
    assert said((replace(WORKS, since=NOW - 50),), (replace(ASKS, since=NOW - 40),), (resumed,), (WAITS,))[1:] == []


@pytest.mark.parametrize("rule", ["wakes-by-itself", "turn-interrupted", "nothing-asked", "silent"])
def test_what_wakes_by_itself_or_was_interrupted_is_no_alarm(rule: str) -> None:
    assert said((WORKS,), (replace(WAITS, rule=rule),)) == []


def test_who_has_just_said_no_knows_that_it_waits() -> None:
    asked = replace(ASKS, since=NOW - 200)
    assert len(said((WORKS,), (asked,), (WAITS,))) == 1


def test_what_was_so_before_the_first_look_is_nobodys_news() -> None:
    memory, found = due(Memory(), (ASKS,), ON, NOW, nobody)
    assert found == []
    assert due(memory, (ASKS,), ON, NOW, nobody)[1] == []


def test_nothing_is_said_twice() -> None:
    assert len(said((ASKS,), (ASKS,), (), (ASKS,), (WORKS,), (ASKS,))) == 1
    jitter = replace(ASKS, agents=(replace(ASKS.agents[0], since=NOW + 0.3),))
    assert len(said((ASKS,), (jitter,), (WORKS,), (jitter,))) == 1


def test_another_request_of_the_same_agent_is_another_thing() -> None:
    again = replace(ASKS, agents=(replace(ASKS.agents[0], since=NOW + 4, detail="Bash: rm"),))
    assert [one.body for one in said((ASKS,), (WORKS,), (again,))] == ["Bash: npm test", "Bash: rm"]


def test_hidden_sessions_say_nothing_and_a_teammate_speaks_once() -> None:
    assert said((replace(ASKS, hidden=True),)) == []
    mate = agent("mate", NEEDS_APPROVAL, kind="teammate", name="tester", detail="Bash: x", since=NOW)
    lead = session("lead", NEEDS_APPROVAL, agents=(agent(), mate))
    own = session("mate", NEEDS_APPROVAL, hidden=True, agents=(agent("main", NEEDS_APPROVAL, since=NOW),))
    assert [one.body for one in said((lead, own))] == ["tester: Bash: x"]


def test_an_agent_that_somebody_looks_at_is_not_told_of_then_or_later() -> None:
    memory, _ = due(Memory(), (WORKS,), ON, NOW, nobody)
    memory, found = due(memory, (ASKS,), ON, NOW, lambda one: one.session_id == "a")
    assert found == []
    assert due(memory, (ASKS,), ON, NOW, nobody)[1] == []


def test_nobody_is_asked_whether_they_look_unless_there_is_something_to_tell() -> None:
    asked: list[str] = []
    said(
        (WORKS, session("b")),
        (WORKS, session("b")),
        (ASKS, session("b")),
        (ASKS,),
        seen=lambda one: asked.append(one.session_id),
    )
    assert asked == ["a"]


def test_when_they_are_off_nothing_is_said() -> None:
    assert said((WORKS,), (ASKS,), settings=Settings(enabled=False)) == []


@pytest.mark.parametrize(
    ("cwd", "folders", "muted"),
    [
        ("/p/shop", ("/p/shop",), True),
        ("/p/shop/sub", ("/p/shop/",), True),
        ("/p/shopping", ("/p/shop",), False),
        ("/p", ("/p/shop",), False),
        ("/p/shop", ("/x", "/"), True),
        ("/p/../q", ("/p",), False),
        ("/p/shop", (), False),
    ],
)
def test_a_muted_folder_is_silent_with_all_below_it(cwd: str, folders: tuple[str, ...], muted: bool) -> None:
    assert is_muted(cwd, folders) == muted
    assert (said((replace(ASKS, cwd=cwd),), settings=Settings(mute=folders)) == []) == muted


def test_a_folder_may_be_named_from_home() -> None:
    assert is_muted(os.environ["HOME"] + "/x", ("~/x",))


@pytest.mark.parametrize(
    ("begins", "ends", "at", "quiet"),
    [
        ("22:00", "7:30", "23:00", True),
        ("22:00", "7:30", "07:29", True),
        ("22:00", "7:30", "07:30", False),
        ("22:00", "7:30", "12:00", False),
        ("12:00", "13:00", "12:00", True),
        ("12:00", "13:00", "13:00", False),
        ("12:00", "12:00", "12:00", False),
        ("", "13:00", "12:00", False),
        ("12:00", "", "12:30", False),
    ],
)
def test_in_quiet_hours_nothing_is_said(begins: str, ends: str, at: str, quiet: bool) -> None:
    now = time.mktime(time.strptime(f"2027-03-01 {at}", "%Y-%m-%d %H:%M"))
    chosen = Settings(quiet_from=begins, quiet_to=ends)
    assert is_quiet(chosen, now) == quiet
    assert (said((ASKS,), settings=chosen, now=now) == []) == quiet


def test_the_story_of_the_demo_is_told_once_each() -> None:
    memory, titles = Memory(), []
    for t in range(int(story.LENGTH)):
        memory, found = due(memory, story.scene(t), replace(ON, after_s=20), t, nobody)
        titles += [f"{one.title}: {one.body}" for one in found]
    assert len(titles) == len(set(titles))
    assert "api-v2 needs approval: tester: Bash: dropdb api_test" in titles
    assert "shop-checkout waits for you: shop" in titles
    assert not [one for one in titles if "interrupted" in one]


@given(
    st.lists(st.lists(st.sampled_from([ASKS, WORKS, WAITS, replace(ASKS, session_id="b")]), max_size=2), max_size=12)
)
def test_whatever_comes_no_thing_is_told_twice(looks: list[list[SessionStatus]]) -> None:
    unique = [tuple({one.session_id: one for one in look}.values()) for look in looks]
    found = [(one.session_id, one.agent, one.since) for one in said(*unique)]
    assert len(found) == len(set(found))


# Many at once


def many(number: int, state: str = NEEDS_APPROVAL) -> list[Notice]:
    return [Notice(f"s{k}", state, NOW, f"s{k} asks", "x") for k in range(number)]


def test_a_few_are_said_each_and_many_in_one() -> None:
    assert collapsed(many(3)) == many(3)
    (one,) = collapsed([*many(3), *many(2, WAITING)])
    assert (one.title, one.session_id) == ("Your agents: 3 need approval, 2 wait for you", "")
    assert one.body == "s0 asks, s1 asks, s2 asks"


def test_those_that_follow_closely_wait_for_each_other() -> None:
    states = dict.fromkeys([f"s{k}" for k in range(9)], NEEDS_APPROVAL)
    outbox, first = Outbox().post(many(1), states, NOW)
    outbox, second = outbox.post(many(9)[1:], states, NOW + 1)
    outbox, third = outbox.post([], states, NOW + 2)
    outbox, fourth = outbox.post([], states, NOW + 3)
    assert (first, second, third) == (many(1), [], [])
    assert [one.title for one in fourth] == ["Your agents: 8 need approval"]
    assert outbox.post([], states, NOW + 9)[1] == []


def test_what_is_no_longer_so_when_its_turn_comes_is_not_said() -> None:
    outbox, _ = Outbox().post(many(1), {"s0": NEEDS_APPROVAL}, NOW)
    outbox, _ = outbox.post(many(2)[1:], {"s1": NEEDS_APPROVAL}, NOW + 1)
    assert outbox.post([], {"s1": WORKING}, NOW + 4)[1] == []


def test_a_clock_that_was_set_back_holds_nothing_up() -> None:
    outbox, _ = Outbox().post(many(1), {"s0": NEEDS_APPROVAL}, NOW)
    assert outbox.post(many(1), {"s0": NEEDS_APPROVAL}, NOW - 3600)[1] == many(1)


# What reaches the programs


def test_notify_send_gets_words_that_are_no_options_and_no_markup() -> None:
    evil = NOTICE._replace(title="-x", body="<b>&\\074b\\n")
    argv = desktop.argv(Way.CLICKABLE, evil, sound=True)
    assert argv == [
        "notify-send", "--app-name=yourturn", "--urgency=critical", "--hint=string:sound-name:message-new-instant",
        "--action=default=Go there", "--", "-x", "&lt;b&gt;&amp;\\\\074b\\\\n",
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
    found = subprocess.run(argv, capture_output=True, text=True, env=environ(tmp_path), check=True, timeout=15).stdout
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


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for programs of the test's own; nothing else of the desktop is on PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("sh", "env", "cat", "ps"):
        found = next(Path(one, name) for one in os.environ["PATH"].split(":") if Path(one, name).exists())
        (folder / name).symlink_to(found)
    monkeypatch.setenv("PATH", str(folder))
    yield folder
    assert not list(PROJECT.glob("x"))


def program(folder: Path, name: str, code: str = "") -> Path:
    """Writes down its arguments as JSON, one call a line."""
    path = folder / name
    path.write_text(
        f"#!{sys.executable}\nimport json, os, sys\n"
        f"if sys.argv[1:] == ['--help']: print('  -A, --action=[NAME=]Text'); sys.exit()\n"
        f"fd = os.open({str(folder / (name + '.calls'))!r}, os.O_WRONLY | os.O_APPEND | os.O_CREAT)\n"
        f"os.write(fd, json.dumps(sys.argv[1:]).encode() + b'\\n')\n{code}\n"
    )
    path.chmod(0o755)
    return folder / f"{name}.calls"


def calls(path: Path) -> list[list[str]]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


BUS = {"DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"}


def test_the_best_way_that_is_there_is_taken(tools: Path, tmp_path: Path) -> None:
    assert desktop.way({}, "linux") is Way.BELL
    assert desktop.way(BUS, "linux") is Way.BELL, "a bus, and nothing to speak over it"
    program(tools, "gdbus")
    assert desktop.way(BUS, "linux") is Way.GDBUS
    program(tools, "notify-send")
    assert desktop.way(BUS, "linux") is Way.CLICKABLE
    assert desktop.way({}, "linux") is Way.BELL
    (tools / "notify-send").write_text("#!/bin/sh\n")
    assert desktop.way(BUS, "linux") is Way.NOTIFY_SEND
    (tmp_path / "bus").touch()
    assert desktop.way({"XDG_RUNTIME_DIR": str(tmp_path)}, "linux") is Way.NOTIFY_SEND
    assert desktop.way(BUS, "darwin") is Way.BELL
    program(tools, "osascript")
    assert desktop.way({}, "darwin") is Way.OSASCRIPT


class Person:
    """Looks, waits until the program that was started has spoken, and remembers where they were taken."""

    def __init__(self, home: Path, **env: str) -> None:
        store.private_folder(str(home))
        self.went: list[str] = []
        self.told: list[str] = []
        self.notifier = Notifier(str(home), {"YOURTURN_HOME": str(home), **env}, tell=self.told.append, go=self.go)
        self.notifier.look(statuses(), NOW)

    def go(self, one: SessionStatus) -> str:
        self.went.append(one.session_id)
        return "Could not go."

    def look(self, *sessions: SessionStatus, now: float = NOW) -> None:
        self.notifier.look(statuses(*sessions), now)
        for one in self.notifier.descriptors():
            self.notifier.heard([one])


@pytest.mark.parametrize("text", ["Bash: npm test", *HOSTILE.values()], ids=["plain", *HOSTILE])
def test_a_notification_reaches_notify_send_as_it_was_planned(text: str, tools: Path, tmp_path: Path) -> None:
    heard = program(tools, "notify-send")
    person = Person(tmp_path, **BUS)
    person.look(replace(ASKS, name=text, agents=(replace(ASKS.agents[0], detail=text),)))
    person.look(replace(ASKS, name=text, agents=(replace(ASKS.agents[0], detail=text),)))
    ((*options, title, body),) = calls(heard)
    assert options == ["--app-name=yourturn", "--urgency=critical", "--action=default=Go there", "--"]
    assert title.endswith(" needs approval")
    assert "<" not in body
    assert person.told == person.went == []
    with person.notifier:
        pass


def test_a_click_goes_to_the_terminal_and_what_could_not_be_done_is_said(tools: Path, tmp_path: Path) -> None:
    program(tools, "notify-send", "print('default')")
    person = Person(tmp_path, **BUS)
    person.look(ASKS)
    assert person.went == ["a"]
    assert person.told == ["Could not go."]


def test_a_notification_that_is_closed_goes_nowhere(tools: Path, tmp_path: Path) -> None:
    program(tools, "notify-send", "print('closed')")
    person = Person(tmp_path, **BUS)
    person.look(ASKS)
    assert person.went == []


def test_a_desktop_that_shows_nothing_leaves_the_bell(tools: Path, tmp_path: Path) -> None:
    program(tools, "notify-send", "sys.exit(1)")
    person = Person(tmp_path, **BUS)
    person.look(ASKS)
    assert person.told == ["a-name needs approval: Bash: npm test"]


def test_without_a_desktop_the_bell_must_do(tools: Path, tmp_path: Path) -> None:
    person = Person(tmp_path)
    person.look(ASKS)
    person.look(ASKS)
    assert person.told == ["a-name needs approval: Bash: npm test"]


def test_the_settings_count_as_soon_as_they_are_changed(tools: Path, tmp_path: Path) -> None:
    heard = program(tools, "notify-send")
    person = Person(tmp_path, **BUS)
    (tmp_path / "config.toml").write_text("[notify]\nenabled = false\n")
    person.look(ASKS)
    assert calls(heard) == []
    (tmp_path / "config.toml").write_text("[notify]\nsound = true\n")
    person.look(ASKS, replace(ASKS, session_id="b"), now=NOW + 10)
    assert "--hint=string:sound-name:message-new-instant" in calls(heard)[0]


def test_of_several_front_ends_one_speaks_and_when_it_ends_another(tools: Path, tmp_path: Path) -> None:
    one, other = Person(tmp_path), Person(tmp_path)
    for person in (one, other):
        person.look(ASKS)
    with one.notifier:
        pass
    other.look(replace(ASKS, session_id="b"), now=NOW + 10)
    assert (len(one.told), len(other.told)) == (1, 1)


def test_who_ends_while_a_notification_is_shown_leaves_no_process(tools: Path, tmp_path: Path) -> None:
    program(tools, "notify-send", "import time; time.sleep(60)")
    person = Person(tmp_path, **BUS)
    with person.notifier as notifier:
        notifier.look(statuses(ASKS), NOW)
        ((shown, _),) = notifier._shown.values()
        assert shown.poll() is None
    assert shown.returncode is not None


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
    put(tmp_path, replace(WORKS, since=time.time()))
    argv = [*ERRAND, "notify"]
    env = environ(tmp_path)
    with (
        watcher(tmp_path, time.time()),
        subprocess.Popen(argv, stderr=subprocess.PIPE, text=True, env=env, cwd=PROJECT) as one,
    ):
        assert one.stderr
        assert one.stderr.readline() == "Notifying by the bell of this terminal. To change that: yourturn config\n"
        put(tmp_path, replace(ASKS, agents=(replace(ASKS.agents[0], since=time.time()),)))
        assert one.stderr.readline() == "a-name needs approval: Bash: npm test\n"
        one.terminate()
        assert one.wait() == 143


def test_a_test_says_which_way_it_went_and_whether_they_are_off(tmp_path: Path) -> None:
    found = errand(tmp_path, "notify", "--test")
    assert (found.returncode, found.stdout) == (0, "Sent by the bell of this terminal.\n")
    assert found.stderr == "yourturn: This is how it looks when an agent needs you.\n"
    errand(tmp_path, "config", "notify.enabled", "off")
    assert "They are off" in errand(tmp_path, "notify", "--test").stdout


def test_a_test_that_nobody_shows_fails(tools: Path, tmp_path: Path) -> None:
    program(tools, "notify-send", "sys.exit(1)")
    found = errand(tmp_path, "notify", "--test", **BUS)
    assert (found.returncode, found.stdout) == (1, "")
    assert "nobody on this desktop shows them" in found.stderr
