"""`yourturn log`."""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from statusbar.cli.log import worded
from support.patience import PATIENCE_S
from support.project import PROJECT
from support.showing import agent, put, run, session, watcher

LINE = {"v": 1, "at": 1000.0, "kind": "status_changed", "session": "9df7420c-3c33", "agent": "main", "by": "turn-open"}
MORE = {"from": "waiting", "to": "working", "detail": "Bash: npm test", "quote": "npm test", "evidence": "hook"}


def log(home: Path, *args: str) -> "subprocess.CompletedProcess[str]":
    argv = [sys.executable, str(PROJECT / "yourturn.py"), "log", *args]
    env = {"HOME": str(home), "YOURTURN_HOME": str(home / "state"), "PATH": "/usr/bin:/bin", "TZ": "UTC"}
    with watcher(home / "state", time.time()):
        return subprocess.run(argv, env=env, capture_output=True, text=True, check=False)


def test_at_its_head_it_says_that_nobody_writes_it_any_more(tmp_path: Path) -> None:
    found = run(tmp_path, "log")
    assert found.stderr.startswith("✕ No watcher is running: state unknown. Start it: yourturn up\n")


def write(home: Path, *lines: dict[str, Any] | str, name: str = "observations.jsonl") -> Path:
    (home / "state").mkdir(exist_ok=True)
    path = home / "state" / name
    with path.open("a") as file:
        file.writelines(line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines)
    return path


def test_observations_are_printed_in_order_those_of_the_rotated_file_first(tmp_path: Path) -> None:
    write(tmp_path, LINE | MORE | {"at": 2000.0, "from": "working", "to": "needs_approval"})
    write(tmp_path, LINE | MORE, name="observations.jsonl.1")
    done = log(tmp_path)
    assert done.stdout.splitlines() == [
        "01 Jan 00:16:40  9df7420c main  status: waiting → working, Bash: “npm test”  [turn-open]",
        "01 Jan 00:33:20  9df7420c main  status: working → needs approval, Bash: “npm test”  [turn-open]",
    ]
    assert (done.returncode, done.stderr) == (0, "")


def test_what_was_refused_is_observed_too(tmp_path: Path) -> None:
    """A kill by its target's session, a spawn, which has none yet, by that of the agent who asked."""
    asked = {"kind": "agent", "session": "9df7420c-3c33", "pid": 7, "program": "bash"}
    kill = {"v": 1, "at": 1500.0, "verb": "kill", "by": asked, "target": {"session": "other"}, "outcome": "refused"}
    spawn = kill | {"at": 1600.0, "verb": "spawn", "target": {"session": ""}, "reason": "one too many\x1b[2J"}
    write(tmp_path, LINE | MORE, LINE | MORE | {"at": 2000.0})
    write(tmp_path, kill | {"reason": "not yours"}, kill | {"outcome": "ended"}, spawn, name="audit.jsonl")
    assert [line.partition("  ")[2] for line in log(tmp_path).stdout.splitlines()] == [
        "9df7420c main  status: waiting → working, Bash: “npm test”  [turn-open]",
        "other main  kill refused: not yours  [agent]",
        "9df7420c main  spawn refused: one too many [2J  [agent]",
        "9df7420c main  status: waiting → working, Bash: “npm test”  [turn-open]",
    ]
    (only,) = log(tmp_path, "--session", "oth", "--json").stdout.splitlines()
    assert (json.loads(only)["kind"], json.loads(only)["reason"]) == ("refused", "not yours")


def test_one_session_is_picked_by_the_beginning_of_its_id(tmp_path: Path) -> None:
    write(tmp_path, LINE | MORE, LINE | MORE | {"session": "other"})
    (only,) = log(tmp_path, "--session", "oth", "--json").stdout.splitlines()
    assert json.loads(only)["session"] == "other"


def test_half_a_line_and_garbage_are_passed_over(tmp_path: Path) -> None:
    write(tmp_path, "garbage\n", "[1]\n", LINE | MORE, '{"v":1,"half')
    assert len(log(tmp_path).stdout.splitlines()) == 1


def test_nothing_yet_is_said(tmp_path: Path) -> None:
    done = log(tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    assert "Nothing observed yet" in done.stderr


def test_following_prints_what_comes_and_survives_a_rotation(tmp_path: Path) -> None:
    path = write(tmp_path, LINE | MORE)
    argv = [sys.executable, str(PROJECT / "yourturn.py"), "log", "--follow", "--json"]
    env = {"HOME": str(tmp_path), "YOURTURN_HOME": str(tmp_path / "state"), "PATH": "/usr/bin:/bin"}
    with subprocess.Popen(argv, env=env, stdout=subprocess.PIPE, text=True) as following:
        assert following.stdout
        assert json.loads(following.stdout.readline())["to"] == "working"
        write(tmp_path, LINE | MORE | {"to": "second"})
        assert json.loads(following.stdout.readline())["to"] == "second"
        path.rename(path.with_suffix(".jsonl.1"))
        write(tmp_path, LINE | MORE | {"to": "third"})
        assert json.loads(following.stdout.readline())["to"] == "third"
        following.terminate()
        assert following.wait(PATIENCE_S) == 143


@pytest.mark.parametrize("evil", ["\x1b[2J\x1b]0;x\x07", "\u202egnp.exe", "a\nb\rc", '"; rm -rf /', "x" * 5000])
def test_what_an_agent_says_is_one_clean_line_in_quotes(evil: str) -> None:
    said = worded(LINE | {"from": evil, "to": "working", "detail": evil, "session": evil, "agent": evil, "by": evil})
    assert said.isprintable()
    assert len(said) < 400


@pytest.mark.parametrize(
    "junk",
    [
        {},
        {"kind": 7},
        {"kind": "suspended", "waits_for": 7},
        {"at": "x", "kind": None},
        {"kind": "denied"},
        {"at": 1e300},
        {"at": float("nan")},
    ],
)
def test_observations_of_another_shape_break_nothing(junk: dict[str, Any]) -> None:
    assert worded(junk)


def test_only_one_session_by_the_beginning_of_its_id_or_by_its_name(tmp_path: Path) -> None:
    write(tmp_path, LINE | MORE)
    put(tmp_path / "state", session(str(LINE["session"]), name="shop"))
    for word in (str(LINE["session"])[:4], "shop"):
        found = log(tmp_path, "--session", word)
        assert (found.returncode, len(found.stdout.splitlines())) == (0, 1)
    found = log(tmp_path, "--session", "nobody")
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.startswith("yourturn: the log has no entries for 'nobody', and no session or agent")


def test_a_group_and_an_agent_are_picked_as_everywhere(tmp_path: Path) -> None:
    write(tmp_path, LINE | MORE, LINE | MORE | {"agent": "x1"}, LINE | MORE | {"session": "other"})
    put(tmp_path / "state", session(str(LINE["session"]), agents=(agent(), agent("x1", type="Explore"))))
    assert len(log(tmp_path, "--session", "@working").stdout.splitlines()) == 2
    (only,) = log(tmp_path, "--session", "9df7/Explore", "--json").stdout.splitlines()
    assert json.loads(only)["agent"] == "x1"


def test_several_ended_sessions_that_begin_alike_are_ambiguous(tmp_path: Path) -> None:
    write(
        tmp_path, LINE | MORE | {"session": "aab"}, LINE | MORE | {"session": "aac"}, LINE | MORE | {"session": "aa1"}
    )
    found = log(tmp_path, "--session", "aa")
    assert (found.returncode, found.stdout) == (3, "")
    assert "  aa1  ended\n  aab  ended\n  aac  ended\n" in found.stderr
    assert log(tmp_path, "--session", "aab").returncode == 0


def test_a_session_of_which_nothing_is_written_yet_is_no_error(tmp_path: Path) -> None:
    write(tmp_path, LINE | MORE)
    put(tmp_path / "state", session("new"))
    found = log(tmp_path, "--session", "new")
    assert (found.returncode, found.stdout) == (0, "")
    assert found.stderr == "The log has no entries for 'new' yet.\n"


def test_a_stream_that_knows_no_arrows_gets_none(tmp_path: Path) -> None:
    write(tmp_path, LINE | MORE)
    with watcher(tmp_path / "state", time.time()):
        found = run(tmp_path / "state", "log", PYTHONIOENCODING="latin-1")
    assert (found.returncode, found.stderr) == (0, "")
    assert "waiting ? working" in found.stdout


def test_a_person_is_told_when_nobody_watched_and_not_twice_how_a_session_stands(tmp_path: Path) -> None:
    watching = {"v": 1, "at": 3000.0, "kind": "watching", "session": "", "agent": ""}
    stands = LINE | {"kind": "session", "to": "working", "running": 1, "agent": ""}
    lines = [
        watching | {"by": "start", "since": 0.0, "rested": False},
        stands,
        watching | {"by": "start", "since": 2000.0, "rested": False},
        watching | {"by": "lapse", "since": 2000.0, "rested": False},
        watching | {"by": "start", "since": 2000.0, "rested": True},
        watching | {"by": "file", "since": 3000.0, "rested": False},
    ]
    write(tmp_path, *lines)
    assert log(tmp_path).stdout.splitlines() == [
        "01 Jan 00:50:00  watcher  watches  [start]",
        "01 Jan 00:50:00  watcher  watches again, state unknown since 01 Jan 00:33:20  [start]",
        "01 Jan 00:50:00  watcher  watches again, state unknown since 01 Jan 00:33:20  [lapse]",
        "01 Jan 00:50:00  watcher  watches again, nothing was running since 01 Jan 00:33:20  [start]",
    ]
    assert len(log(tmp_path, "--json").stdout.splitlines()) == 6
    assert log(tmp_path, "--session", "9df7").stdout == ""
