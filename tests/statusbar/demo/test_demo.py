"""`yourturn demo`: the scenario, its temporary state folder, and the command."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from contract import paths, status, store
from contract.pulse import Watcher
from contract.status import NEEDS_APPROVAL, STATES, WAITING, WORKING, Heartbeat, SessionStatus
from statusbar import front
from statusbar.demo import scenario
from statusbar.demo.fake_watcher import FakeWatcher
from statusbar.demo.scenario import LENGTH, next_change, sessions
from statusbar.model import reader
from statusbar.model.board import board
from statusbar.model.glimpses import Glimpses
from statusbar.model.snapshot import Statuses
from statusbar.settings import settings
from support.command import YOURTURN, yourturn
from support.patience import PATIENCE_S, until
from support.project import PROJECT
from support.showing import environ, just_now, put, session, terminal, watcher
from watcher.rules.law import MAIN_RULES, SUB_AGENT_RULES
from watcher.rules.lifecycle import BY_RULE

TITLE = "Speed up the"  # of a session of the demo, as far as 80 columns show it
SECONDS = [k / 2 for k in range(int(LENGTH) * 2)]


def of(sessions: tuple[SessionStatus, ...], id_: str) -> SessionStatus:
    return next(one for one in sessions if one.session_id == id_)


# The scenario


def test_the_scenario_has_all_that_a_newcomer_should_see() -> None:
    scenes = [sessions(t) for t in SECONDS]
    everybody = [agent for sessions in scenes for one in sessions for agent in one.agents]
    assert {agent.status for agent in everybody} == set(STATES)
    assert {agent.kind for agent in everybody} == {"agent", "sub_agent", "teammate"}
    assert {agent.rule for agent in everybody} >= {"turn-interrupted", "turn-failed", "shell-runs", "wakes-by-itself"}
    assert any(one.team for one in scenes[0])
    assert {agent.parent for agent in everybody} > {None, "main"}, "a sub-agent of a sub-agent"
    assert len({len(one) for one in scenes}) > 1, "somebody comes and goes"


def test_the_scenario_uses_the_words_of_the_law() -> None:
    used = {(agent.key == "main", agent.rule) for t in SECONDS for one in sessions(t) for agent in one.agents}
    assert {rule for is_main, rule in used if is_main} <= set(MAIN_RULES)
    assert {rule for is_main, rule in used if not is_main} <= set(SUB_AGENT_RULES)


def test_the_scenario_gives_each_rule_the_state_that_the_watcher_gives_it() -> None:
    states = {rule: (outcome.state, outcome.reason) for rule, outcome in scenario.OUTCOMES.items()}
    assert states == {rule: BY_RULE[rule][:2] for rule in scenario.OUTCOMES}


def test_an_approval_of_a_sub_agent_shows_on_its_session_and_is_given() -> None:
    before, asked, given = (of(sessions(t), "shop") for t in (20, 24, 31))
    assert [one.status for one in (before, asked, given)] == [WORKING, NEEDS_APPROVAL, WORKING]
    assert (asked.detail, asked.since) == ("Bash: npm install", 22)


def test_a_teammate_that_asks_is_named_on_the_teams_row() -> None:
    assert of(sessions(9), "api").detail == "tester: Bash: dropdb api_test"


def test_the_demo_shows_titles_questions_and_last_words_from_transcripts_that_are_really_read() -> None:
    with FakeWatcher() as watcher:
        for t, wanted in ((50, "“Should the guide begin with pip or with Docker?”"), (64.5, "Speed up the checkout")):
            watcher.write(sessions(t), t, scenario.told(t))
            found = reader.read(watcher.home)
            rows = board(found, t, Glimpses({"YOURTURN_HOME": watcher.home}).of(found.sessions)).rows
            assert wanted in [text for row in rows for text in (row.name, row.words)]
        assert "“The guide now begins with Docker.”" in [row.words for row in rows]


def test_everybody_whose_transcript_is_read_has_something_to_say_at_any_moment() -> None:
    for t in SECONDS:
        told = scenario.told(t)
        assert told.keys() == {one.session_id for one in sessions(t) if one.client == "claude"}
        assert all(glimpse.last_words for glimpse in told.values())


def test_the_desk_is_a_mixed_one() -> None:
    assert {one.client for t in SECONDS for one in sessions(t)} == {"claude", "codex", "copilot"}
    assert all(len({one.client for one in sessions(t)}) > 1 for t in SECONDS)


def test_an_interruption_ends_the_turn() -> None:
    found = of(sessions(36), "site")
    assert (found.status, found.detail, found.rule) == (WAITING, "interrupted", "turn-interrupted")


def test_every_scene_survives_the_files_and_is_never_older_than_itself() -> None:
    for t in SECONDS:
        for one in sessions(t, began=1000.0):
            assert status.decode(status.encode(one)) == one
            assert one.since <= 1000.0 + t
            assert all(one.since == agent.since for agent in one.agents if agent.rule == one.rule) or one.agents


def test_a_scene_changes_only_when_the_next_change_says_so() -> None:
    t, scenes = 0.0, 0
    while t < LENGTH:
        until = next_change(t)
        assert sessions(t) == sessions((t + until) / 2) == sessions(until - 0.001)
        assert sessions(until) != sessions(t)
        t, scenes = until, scenes + 1
    assert t == LENGTH
    assert scenes > 25


def test_the_scenario_repeats_and_the_second_round_is_later() -> None:
    first, second = sessions(24), sessions(24 + LENGTH)
    assert [one.detail for one in first] == [one.detail for one in second]
    assert of(second, "shop").since - of(first, "shop").since == LENGTH


def test_at_another_speed_everything_happens_when_it_is_shown() -> None:
    assert of(sessions(24, began=1000.0, speed=2.0), "shop").since == 1011
    assert of(sessions(24 + LENGTH, began=1000.0, speed=2.0), "shop").since == 1011 + LENGTH / 2
    assert of(sessions(24, began=1000.0, speed=2.0), "docs").since == -500, "what was before the demo stays as long ago"


def test_each_scene_is_a_board_without_trouble() -> None:
    for t in SECONDS:
        whole = board(Statuses(sessions(t, 1000.0), Heartbeat(1, "", "", 1000.0 + t), locked=True), 1000.0 + t)
        assert whole.is_well
        assert len(whole.rows) >= 5


# The watcher


def test_in_the_demos_folder_a_watcher_lives_and_no_other_can_start() -> None:
    with FakeWatcher() as watcher:
        watcher.write(sessions(0, 1000.0), 1000.0)
        found = reader.read(watcher.home)
        assert len(found.sessions) == len(sessions(0))
        assert found.watcher(1000.0) is Watcher.ALIVE
        assert store.take(paths.watcher_lock(watcher.home)) is None
        assert not settings.load({"YOURTURN_HOME": watcher.home}).enabled, "nobody is called to an agent that is none"
        assert oct(os.stat(watcher.home).st_mode & 0o777) == "0o700"


def test_the_heart_beats_on_while_nothing_happens() -> None:
    with FakeWatcher() as watcher:
        for now in range(1000, 1100, 5):
            watcher.write((), float(now))
            assert reader.read(watcher.home).watcher(now + 1.0) is Watcher.ALIVE


def test_the_file_of_an_ended_session_is_removed_and_the_others_are_not_written_again() -> None:
    with FakeWatcher() as watcher:
        watcher.write(sessions(60, 1000.0), 1000.0)
        before = {path: path.stat().st_ino for path in Path(watcher.home, "status").iterdir()}
        watcher.write(sessions(66.5, 1000.0), 1006.5)
        after = {path: path.stat().st_ino for path in Path(watcher.home, "status").iterdir()}
        gone = before.keys() - after.keys()
        assert [path.name for path in gone] == ["hotfix.json"]
        assert after[Path(watcher.home, "status", "shop.json")] == before[Path(watcher.home, "status/shop.json")]


def test_the_log_tells_what_happened_in_the_demo() -> None:
    with FakeWatcher() as watcher:
        watcher.write(sessions(20, 1000.0), 1000.0)
        before = Path(paths.observations(watcher.home)).read_text().splitlines()
        watcher.write(sessions(23, 1000.0), 1003.0)
        (news,) = Path(paths.observations(watcher.home)).read_text().splitlines()[len(before) :]
    found = json.loads(news)
    assert (found["session"], found["agent"], found["by"]) == ("shop", "c3d2", "approval-asked")
    assert (found["kind"], found["from"], found["to"]) == ("status_changed", WORKING, NEEDS_APPROVAL)


def test_nothing_is_left_of_the_folder_even_if_the_demo_fails() -> None:
    with contextlib.suppress(RuntimeError), FakeWatcher() as watcher:
        watcher.write(sessions(0), 0.0)
        assert os.path.exists(watcher.home)
        raise RuntimeError
    assert not os.path.exists(watcher.home)


# Where it is shown


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


# The play


@pytest.fixture
def scratch(tmp_path: Path) -> Iterator[Path]:
    """Where the folder of the play lies; it must be empty in the end."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    yield folder
    assert list(folder.iterdir()) == []


def test_without_a_terminal_each_scene_is_printed_once_and_it_ends(tmp_path: Path, scratch: Path) -> None:
    found = yourturn(tmp_path, "demo", "--speed", "100", TMPDIR=str(scratch))
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout.startswith("Demo: not your agents. Runs once; your own agents are not affected.")
    assert len(re.findall(r"^STATE", found.stdout, re.MULTILINE)) == len(set(map(next_change, SECONDS)))
    for words in ("▲ needs approval  shop", "tester: Bash: “dropdb", "interrupted", "error: usage limit", "▲ 1 needs"):
        assert words in found.stdout
    assert "✕" not in found.stdout


def test_in_a_terminal_it_runs_the_live_view_until_that_is_left(tmp_path: Path, scratch: Path) -> None:
    with terminal(tmp_path / "state", tmp_path) as one:
        one.start(*YOURTURN, "demo", "--speed", "8", TMPDIR=str(scratch))
        one.until("▲ needs approval", "tester", "Speed up", gone="✕")
        one.until("yourturn demo  ", "Demo: not your agents. Press q to quit.")
        one.until("interrupted", gone="✕")
        one.keys("q")
        one.until("That was the demo.", "  yourturn install", "  yourturn up", "left with 0")


def test_where_the_hooks_are_installed_nobody_is_told_to_install_them(tmp_path: Path, scratch: Path) -> None:
    (tmp_path / "claude").mkdir()
    (tmp_path / "claude" / "settings.json").write_text(f'{{"hooks": "{PROJECT}/hook.py"}}')
    with terminal(tmp_path / "state", tmp_path) as one:
        env = {"TMPDIR": str(scratch), "CLAUDE_CONFIG_DIR": str(tmp_path / "claude")}
        one.start(*YOURTURN, "demo", "--once", "--speed", "1000", **env)
        one.until("as soon as they run:", "  yourturn up", "left with 0", gone="yourturn install")


def test_up_yields_the_demo_to_the_first_agent_and_says_so(tmp_path: Path, scratch: Path) -> None:
    home = tmp_path / "state"
    put(home)
    with watcher(home), terminal(home, tmp_path) as one:
        one.start(*YOURTURN, "up", "--demo", TMPDIR=str(scratch))
        one.until("Demo: not your agents.", TITLE)
        store.replace(paths.status(str(home), "h"), status.encode(just_now("h", hidden=True)))
        one.until("needs approval", TITLE, gone="h-name")
        store.replace(paths.status(str(home), "mine"), status.encode(just_now("mine")))
        one.until("mine-name", "The demo has ended: these are your own agents.", gone=TITLE)
        one.keys("j")
        one.until("mine-name", gone="The demo has ended")
        one.keys("q")
        one.until("left with 0", gone="That was the demo")


def test_where_it_is_printed_the_demo_yields_too(tmp_path: Path, scratch: Path) -> None:
    put(tmp_path)
    argv, env = [*YOURTURN, "up", "--demo"], environ(tmp_path, TMPDIR=str(scratch))
    with (
        watcher(tmp_path),
        subprocess.Popen(argv, stdout=subprocess.PIPE, text=True, env=env, cwd=PROJECT) as one,
    ):
        assert one.stdout
        assert next(line for line in one.stdout if TITLE in line)
        store.replace(paths.status(str(tmp_path), "mine"), status.encode(just_now("mine")))
        rest = one.stdout.read()
        assert one.wait(PATIENCE_S) == 0
    assert "mine-name" in rest, "at its own end the demo shows nobody else"


def test_with_once_the_view_ends_with_the_scenario(tmp_path: Path, scratch: Path) -> None:
    with terminal(tmp_path / "state", tmp_path) as one:
        one.start(*YOURTURN, "demo", "--once", "--speed", "50", TMPDIR=str(scratch))
        one.until("left with 0")


def test_ctrl_c_ends_it(tmp_path: Path, scratch: Path) -> None:
    with terminal(tmp_path / "state", tmp_path) as one:
        one.start(*YOURTURN, "demo", TMPDIR=str(scratch))
        one.until("Speed up", "q quit")
        assert list(scratch.iterdir())
        one.keys("C-c")
        one.until("That was the demo.", "left with 130")


def test_a_terminal_that_is_closed_ends_it(tmp_path: Path, scratch: Path) -> None:
    with terminal(tmp_path / "state", tmp_path) as one:
        one.start(*YOURTURN, "demo", TMPDIR=str(scratch))
        one.until("Speed up", "q quit")
        (folder,) = scratch.iterdir()
        one.tmux("kill-server")
        until(lambda: not folder.exists(), f"the end of {folder}")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP], ids=lambda one: one.name)
def test_a_signal_ends_it_and_its_folder(number: signal.Signals, tmp_path: Path, scratch: Path) -> None:
    env = environ(tmp_path, TMPDIR=str(scratch))
    with subprocess.Popen([*YOURTURN, "demo"], stdout=subprocess.PIPE, text=True, env=env, cwd=PROJECT) as one:
        assert one.stdout
        assert next(line for line in one.stdout if "Speed up" in line)
        one.send_signal(number)
        assert one.wait(PATIENCE_S) == {signal.SIGTERM: 143}.get(number, 130)


def test_told_to_end_it_gives_the_terminal_back(tmp_path: Path, scratch: Path) -> None:
    with terminal(tmp_path / "state", tmp_path) as one:
        one.start(*YOURTURN, "demo", TMPDIR=str(scratch))
        one.until("Speed up", "q quit")
        (play,) = psutil.Process(int(one.tmux("display", "-p", "#{pane_pid}"))).children()
        (view,) = play.children()
        play.terminate()
        one.until("left with 143", gone="q quit")
        assert not view.is_running()


def test_real_state_is_not_touched(tmp_path: Path, scratch: Path) -> None:
    home = tmp_path / "state"
    assert yourturn(home, "demo", "--speed", "1000", TMPDIR=str(scratch)).returncode == 0
    assert not home.exists()


@pytest.mark.parametrize("speed", ["0", "-1", "nan", "inf", "fast"])
def test_an_impossible_speed_is_refused(speed: str, tmp_path: Path) -> None:
    found = yourturn(tmp_path, "demo", f"--speed={speed}")
    assert found.returncode == 2
    assert f"argument --speed: '{speed}' is not a number between 0.01 and 1000" in found.stderr


def test_the_terminal_is_asked_for_where_there_is_none(tmp_path: Path, scratch: Path) -> None:
    found = yourturn(tmp_path, "demo", "--front", "terminal", TMPDIR=str(scratch))
    assert (found.returncode, found.stdout) == (1, "")
    assert found.stderr == "yourturn: top needs a terminal. To print the demo as text: yourturn demo | cat\n"
    yourturn(tmp_path, "config", "front", "terminal")
    found = yourturn(tmp_path, "demo", "--speed", "1000", TMPDIR=str(scratch))
    assert (found.returncode, found.stderr) == (0, "")
    assert "Speed up" in found.stdout


def test_a_terminal_that_cannot_show_it_live_gets_it_as_text(tmp_path: Path, scratch: Path) -> None:
    with terminal(tmp_path / "state", tmp_path) as one:
        one.start(*YOURTURN, "demo", "--speed", "1000", TMPDIR=str(scratch), TERM="dumb")
        one.until("Speed up", "left with 0")


def test_without_a_bus_no_demo_is_announced_in_the_tray(tmp_path: Path, scratch: Path) -> None:
    found = yourturn(tmp_path, "demo", "--front", "tray", TMPDIR=str(scratch), DBUS_SESSION_BUS_ADDRESS="unix:path=/no")
    assert found.returncode == 1
    assert found.stderr.startswith("yourturn: no desktop session found")


@pytest.mark.parametrize(("closed", "code"), [("<&-", 0), (">&-", 1)])
def test_a_closed_stream_is_no_terminal(closed: str, code: int, tmp_path: Path, scratch: Path) -> None:
    with terminal(tmp_path / "state", tmp_path) as one:
        play = [*YOURTURN, "demo", "--speed", "1000"]
        one.start("sh", "-c", f'exec "$@" {closed}', "sh", *play, size="80x400", TMPDIR=str(scratch))
        found = one.until(f"left with {code}")
    assert "Traceback" not in found
    assert ("Speed up" if code == 0 else "yourturn: the standard output is closed") in found


def test_a_front_end_that_is_not_there_is_named(tmp_path: Path, scratch: Path) -> None:
    found = yourturn(tmp_path, "demo", "--front", "menubar", TMPDIR=str(scratch))
    assert found.returncode == 1
    assert "no menubar on this machine" in found.stderr


def test_the_scenario_has_an_agent_for_every_session() -> None:
    assert {change.agent.session for change in scenario.CHANGES} == set(scenario.SESSIONS)
