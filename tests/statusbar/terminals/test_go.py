"""`yourturn go`: who is meant, and the command as a person types it."""

import argparse
import json
import os
import time
from pathlib import Path

import pytest

from contract.status import NEEDS_APPROVAL, WAITING
from statusbar.model.targets import Ambiguous, NoSuchTarget, Unclear
from statusbar.terminals import go
from support.command import yourturn
from support.patience import PATIENCE_S
from support.showing import HOSTILE, NOW, agent, put, session, statuses, watcher
from support.terminals import KITTY, tool, where


@pytest.mark.parametrize(
    ("terminal", "name"),
    [
        ({"TERM_PROGRAM": "vscode", "KITTY_WINDOW_ID": "1"}, "VS Code"),
        ({"TERMINAL_EMULATOR": "JetBrains-JediTerm", "WINDOWID": "1", "DISPLAY": ":0"}, "JetBrains"),
        ({**KITTY, "WINDOWID": "1", "DISPLAY": ":0"}, "kitty"),
        ({"WINDOWID": "1", "DISPLAY": ":0"}, "X11"),
        ({"TERM_PROGRAM": "ghostty"}, "Ghostty"),
        ({"TERM_PROGRAM": "Apple_Terminal"}, "Terminal"),
        ({"ITERM_SESSION_ID": "w:1"}, "iTerm2"),
        ({"WEZTERM_PANE": "1"}, "WezTerm"),
    ],
)
def test_what_runs_inside_wins_over_what_is_around_it(terminal: dict[str, str], name: str) -> None:
    assert next(one.NAME for one in go.TERMINALS if one.is_home(where(terminal))) == name


def test_next_is_the_one_that_has_been_blocked_longest() -> None:
    there = statuses(
        session("new", NEEDS_APPROVAL, since=NOW - 5),
        session("old", NEEDS_APPROVAL, since=NOW - 500),
        session("hidden", NEEDS_APPROVAL, since=NOW - 900, hidden=True),
        session("busy", since=NOW - 5000),
    )
    assert [one.session_id for one in go.pick(there, None, blocked=True)] == ["old", "new"]
    assert [one.session_id for one in go.pick(there, None)] == ["old", "new"]
    assert [one.session_id for one in go.pick(there, "bus")] == ["busy"]


def test_a_blocked_teammate_is_answered_in_its_lead() -> None:
    mate = session("mate", NEEDS_APPROVAL, hidden=True)
    lead = session("lead", NEEDS_APPROVAL, agents=(agent(), agent("mate", NEEDS_APPROVAL, kind="teammate")))
    assert [one.session_id for one in go.pick(statuses(mate, lead), None, blocked=True)] == ["lead"]


def test_without_a_blocked_one_the_only_one_is_meant_or_nobody() -> None:
    assert go.pick(statuses(session("a", WAITING)), None) == [session("a", WAITING)]
    with pytest.raises(Unclear, match="no agent is blocked"):
        go.pick(statuses(session("a", WAITING)), None, blocked=True)
    with pytest.raises(Ambiguous, match="Name one of these sessions:\n  a  a-name  working\n  b  b-name  working"):
        go.pick(statuses(session("a"), session("b")), None)
    with pytest.raises(Unclear, match="no agent is running"):
        go.pick(statuses(), None)
    with pytest.raises(Unclear, match="cannot tell which agent is blocked: state unknown"):
        go.pick(statuses(session("a"), session("b")), None, unknown="state unknown")


def test_a_terminal_is_asked_with_the_arguments_that_were_planned(tmp_path: Path) -> None:
    said = tool(tmp_path / "bin", "kitty")
    put(tmp_path, session("a", NEEDS_APPROVAL, terminal=KITTY))
    found = yourturn(tmp_path, "go", "--next", "--json", PATH=f"{tmp_path}/bin:{os.environ['PATH']}")
    assert found.returncode == 0
    assert json.loads(found.stdout) == {
        "v": 1,
        "ok": True,
        "session_id": "a",
        "host": "",
        "terminal": "kitty",
        "notes": [],
        "passed_over": [],
    }
    assert said.read_text().split() == ["@", "--to", "unix:/tmp/kitty-9", "focus-window", "--match", "id:4"]


def test_what_a_terminal_says_when_it_fails_is_passed_on(tmp_path: Path) -> None:
    tool(tmp_path / "bin", "kitty", "echo 'no such window' >&2; exit 3")
    put(tmp_path, session("a", terminal=KITTY))
    found = yourturn(tmp_path, "go", PATH=f"{tmp_path}/bin:{os.environ['PATH']}")
    assert (found.returncode, found.stdout, found.stderr) == (1, "", "yourturn: a-name: kitty: no such window\n")


def test_a_terminal_whose_command_is_missing_is_named(tmp_path: Path) -> None:
    put(tmp_path, session("a", terminal=KITTY))
    found = yourturn(tmp_path, "go", PATH="/nowhere")
    assert (found.returncode, found.stderr) == (1, "yourturn: a-name: kitty is not installed, or not on PATH\n")


@pytest.mark.parametrize(
    ("terminal", "words"),
    [
        ({}, "its terminal is unknown"),
        ({"tty": "/dev/pts/9"}, "its terminal is unknown (it is on /dev/pts/9)"),
        ({"SSH_TTY": "/dev/pts/9"}, "its terminal is on another machine"),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "Wayland does not let programs"),
        ({"ZELLIJ_SESSION_NAME": "z"}, "zellij attach z"),
        ({"STY": "1.s"}, "screen -x 1.s"),
    ],
)
def test_what_cannot_be_done_is_said_with_its_reason(terminal: dict[str, str], words: str, tmp_path: Path) -> None:
    one = session("a", terminal=terminal, pid=None)
    assert words in go.go(one)
    put(tmp_path, one)
    found = yourturn(tmp_path, "go", "--json")
    assert found.returncode == 1
    assert json.loads(found.stdout)["ok"] is False
    assert words in json.loads(found.stdout)["notes"][0]


def test_the_help_says_where_it_goes_without_a_name(tmp_path: Path) -> None:
    said = " ".join(yourturn(tmp_path, "go", "--help").stdout.split())
    assert "Without TARGET: the agent that has been blocked longest, or if none is blocked, the only one" in said


def test_nobody_to_go_to_is_an_error_in_words(tmp_path: Path) -> None:
    unknown = yourturn(tmp_path, "go")
    assert (unknown.returncode, unknown.stderr) == (1, "yourturn: cannot tell which agent is blocked: state unknown.\n")
    with watcher(tmp_path, time.time()):
        found = yourturn(tmp_path, "go")
        assert (found.returncode, found.stderr) == (1, "yourturn: no agent is running.\n")
        put(tmp_path, session("a"))
        assert "no session or agent 'x' found" in yourturn(tmp_path, "go", "x").stderr


def test_next_goes_on_to_one_that_can_be_reached_and_names_those_it_passed_over(tmp_path: Path) -> None:
    tool(tmp_path / "bin", "kitty")
    path = f"{tmp_path}/bin:{os.environ['PATH']}"
    lost = [session(f"lost{k}", NEEDS_APPROVAL, since=NOW - 500 + k, pid=None) for k in range(2)]
    put(tmp_path, *lost, session("there", NEEDS_APPROVAL, since=NOW - 5, terminal=KITTY))
    found = yourturn(tmp_path, "go", "--next", PATH=path)
    assert (found.returncode, found.stdout) == (0, "there-name: kitty\n")
    why = "its terminal is unknown"
    assert found.stderr == f"yourturn: skipped lost0-name: {why}\nyourturn: skipped lost1-name: {why}\n"
    told = json.loads(yourturn(tmp_path, "go", "--next", "--json", PATH=path).stdout)
    assert (told["session_id"], [one["session_id"] for one in told["passed_over"]]) == ("there", ["lost0", "lost1"])


def test_next_waits_only_briefly_for_a_terminal_that_hangs_if_there_is_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As long as it takes, if it is the last: PATIENCE_S is very long here."""
    monkeypatch.setattr(go, "ONE_OF_SEVERAL_S", 0.05)
    monkeypatch.setattr(go, "PATIENCE_S", PATIENCE_S)
    monkeypatch.setenv("YOURTURN_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
    tool(tmp_path / "bin", "kitty", "exec sleep 3600")
    tool(tmp_path / "bin", "wezterm")
    hangs = session("hangs", NEEDS_APPROVAL, since=NOW - 500, terminal=KITTY)
    put(tmp_path, hangs, session("there", NEEDS_APPROVAL, terminal={"WEZTERM_PANE": "1"}))
    assert go.run(argparse.Namespace(target=None, next=True, json=False)) == 0
    said = capsys.readouterr()
    assert said.out == "there-name: WezTerm\n"
    assert said.err.startswith("yourturn: skipped hangs-name: kitty did not finish within 0.05 s\n")


def test_next_fails_when_none_can_be_reached_and_says_why_of_each(tmp_path: Path) -> None:
    put(tmp_path, *(session(f"lost{k}", NEEDS_APPROVAL, since=NOW - 500 + k, pid=None) for k in range(2)))
    found = yourturn(tmp_path, "go", "--next")
    assert (found.returncode, found.stdout) == (1, "")
    why = "its terminal is unknown"
    assert found.stderr == f"yourturn: skipped lost0-name: {why}\nyourturn: lost1-name: {why}\n"


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_session_breaks_nothing(text: str, tmp_path: Path) -> None:
    names = (*go.OUTER, "tty", "STY", "ZELLIJ_SESSION_NAME")
    put(tmp_path, session("a", NEEDS_APPROVAL, name=text, cwd=text, terminal=dict.fromkeys(names, text)))
    found = yourturn(tmp_path, "go", "--next")
    assert found.returncode == 1
    assert found.stderr.startswith("yourturn: ")
    assert found.stderr[:-1].isprintable()
    assert "Traceback" not in found.stderr


def test_an_agent_is_found_in_its_sessions_terminal_or_in_its_own() -> None:
    mate = session("mate", hidden=True)
    lead = session("lead", agents=(agent(), agent("x", type="Explore"), agent("mate", kind="teammate", name="tester")))
    there = statuses(mate, lead)
    assert go.pick(there, "lead/Explore") == [lead]
    assert go.pick(there, "lead/tester") == [mate]


def test_one_terminal_cannot_be_that_of_several() -> None:
    there = statuses(session("a", NEEDS_APPROVAL), session("b", NEEDS_APPROVAL), session("c"))
    with pytest.raises(Ambiguous, match="'@blocked' matches several"):
        go.pick(there, "@blocked")
    assert [one.session_id for one in go.pick(there, "@working")] == ["c"]
    with pytest.raises(NoSuchTarget):
        go.pick(there, "@waiting")


def test_a_wrong_and_an_ambiguous_target_have_exit_codes_of_their_own(tmp_path: Path) -> None:
    put(tmp_path, session("aab"), session("aac"))
    assert yourturn(tmp_path, "go", "zz").returncode == 2
    found = yourturn(tmp_path, "go", "aa", "--json")
    assert found.returncode == 3
    assert json.loads(found.stdout)["ok"] is False


def test_one_that_no_terminal_shows_cannot_be_gone_to(tmp_path: Path) -> None:
    put(tmp_path, session("a", NEEDS_APPROVAL, unseen=True, shown_by=0, terminal=KITTY))
    found = yourturn(tmp_path, "go", "a", "--json")
    assert found.returncode == 1
    assert "no terminal shows it" in json.loads(found.stdout)["notes"][0]


def test_one_that_several_terminals_may_show_is_not_gone_to_by_chance(tmp_path: Path) -> None:
    put(tmp_path, session("a", NEEDS_APPROVAL, shown_by=0, pid=os.getpid()))
    found = yourturn(tmp_path, "go", "a", "--json")
    assert found.returncode == 1
    assert "several terminals may show it" in json.loads(found.stdout)["notes"][0]


def test_the_terminal_of_another_process_is_looked_for_there() -> None:
    assert go._in_terminal(session("a", pid=7, shown_by=8)) == 8
    assert go._in_terminal(session("a", pid=7)) == 7
    assert go._in_terminal(session("a", pid=7, shown_by=0)) == 0
