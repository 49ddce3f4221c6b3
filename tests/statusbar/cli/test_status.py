"""`yourturn status` and `yourturn explain`."""

import asyncio
import fcntl
import json
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from contract import paths, status, store
from contract.status import NEEDS_APPROVAL, WAITING, Heartbeat, Weighed
from statusbar import commands
from statusbar.cli import report
from statusbar.cli.explain import Unclear, choose
from statusbar.cli.explain import page as explain_page
from statusbar.cli.status import HINT, page
from statusbar.cli.table import Line
from statusbar.model.board import board
from statusbar.model.snapshot import Statuses
from statusbar.text.width import width
from support.patience import FOREVER_S
from support.project import PROJECT
from support.showing import (
    HOSTILE,
    NOW,
    RESTS,
    STATUSBAR,
    agent,
    environ,
    hostile,
    litter,
    piped,
    put,
    rest,
    run,
    session,
    statuses,
    watcher,
)

EXAMPLE = statuses(
    session(
        "9df7420c",
        NEEDS_APPROVAL,
        name="api-9a",
        cwd="/p/api",
        detail="Bash: npm test",
        since=NOW - 240,
        agents=(agent(detail="1 sub-agent"), agent("x", NEEDS_APPROVAL, type="Explore", detail="Bash: npm test")),
    ),
    session("aaaa", name="web-1f", cwd="/p/web", detail="Edit: index.ts", since=NOW),
    session("bbbb", WAITING, name="漢字", cwd="/p/漢字", detail="1 shell running", since=NOW - 7200),
    session("cccc", hidden=True),
)


def words(lines: list[Line]) -> str:
    return "\n".join("".join(piece.text for piece in line).rstrip() for line in lines)


def test_the_table_reads_well() -> None:
    assert words(page(board(EXAMPLE, NOW), 80)) == (
        "STATE               PROJECT   NAME      DETAIL           AGE\n"
        "▲ needs approval    api       api-9a    Bash: npm test   4 m\n"
        "  ● working                   main      1 sub-agent      1 m\n"
        "  ▲ needs approval            Explore   Bash: npm test   1 m\n"
        "● working           web       web-1f    Edit: index.ts   now\n"
        "○ waiting           漢字      漢字      1 shell running  2 h\n"
        "\n"
        "▲ 1 needs you   ● 1 working   ○ 1 waiting\n"
        "1 background session is hidden. To see all: yourturn status --all"
    )


def test_the_table_fits_any_terminal_and_keeps_sums_and_notices_in_sight() -> None:
    some = statuses(*EXAMPLE.sessions, hostile(HOSTILE["wide characters"]), hostile("x" * 999), locked=False)
    whole = board(some, NOW)
    for columns in range(14, 200):
        lines = page(whole, columns, 20)
        assert len(lines) <= 20
        assert max(sum(width(piece.text) for piece in line) for line in lines) <= columns, columns
        assert "✕" in words(lines)


def test_what_does_not_fit_the_terminal_is_counted() -> None:
    whole = board(statuses(*(session(f"s{k}") for k in range(50))), NOW)
    lines = page(whole, 80, 10)
    assert len(lines) == 9, "the last line is for the cursor"
    assert words(lines).splitlines()[-3:] == ["… 45 more", "", "● 50 working"]


def test_nothing_to_show_is_said_calmly(tmp_path: Path) -> None:
    rest(tmp_path)
    found = run(tmp_path, "status")
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout == f"No agent is running.\n{HINT}\n"


def test_that_nobody_knows_is_not_said_calmly(tmp_path: Path) -> None:
    found = run(tmp_path / "none", "status")
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout == "✕ No watcher is running: state unknown. Start it: yourturn up\n"
    assert not (tmp_path / "none").exists(), "the status bar writes no state"


def test_a_watcher_that_does_not_run_is_said_with_the_remedy(tmp_path: Path) -> None:
    put(tmp_path, session("a"))
    remedy = "✕ No watcher is running: state unknown. Start it: yourturn up\n"
    assert run(tmp_path, "status").stdout.endswith(remedy)
    assert run(tmp_path, "explain").stdout.startswith(remedy)
    assert "●? worked" in run(tmp_path, "status").stdout
    assert "●? worked" in run(tmp_path, "explain").stdout
    with watcher(tmp_path):
        assert "✕" not in run(tmp_path, "status").stdout


def test_a_pipe_gets_no_colours_and_whole_lines(tmp_path: Path) -> None:
    put(tmp_path, session("a", detail="long " * 30))
    found = run(tmp_path, "status", COLUMNS="40").stdout
    assert "\x1b" not in found
    assert ("long " * 30).strip() in found


def test_a_stream_that_knows_only_ascii_gets_ascii(tmp_path: Path) -> None:
    put(tmp_path, session("a", NEEDS_APPROVAL, name="Bär"))
    with watcher(tmp_path, time.time()):
        found = run(tmp_path, "status", PYTHONIOENCODING="ascii")
    assert found.returncode == 0
    assert "! needs approval" in found.stdout
    assert "B?r" in found.stdout


# The JSON


def test_json_is_exactly_as_it_was_agreed(tmp_path: Path) -> None:
    put(tmp_path, *EXAMPLE.sessions)
    with watcher(tmp_path, 1234.5) as pid:
        found = json.loads(run(tmp_path, "status", "--json").stdout)
    assert list(found) == ["v", "watcher", "counts", "sessions", "known", "as_of"]
    assert found["v"] == 1
    assert found["watcher"] == {"alive": False, "state": "stuck", "pid": pid, "beat": 1234.5}
    assert found["counts"] == {"needs_approval": 1, "working": 1, "waiting": 1, "unknown": 3}
    assert (found["known"], found["as_of"]) == (False, 1234.5)
    assert [one["session_id"] for one in found["sessions"]] == ["9df7420c", "aaaa", "bbbb"]
    assert found["sessions"][0] == {
        "session_id": "9df7420c", "name": "api-9a", "cwd": "/p/api", "pid": 7, "status": "needs_approval",
        "detail": "Bash: npm test", "since": NOW - 240, "rule": "some-rule", "evidence": "hook", "team": None,
        "agents": [
            {
                "key": "main", "kind": "agent", "type": None, "parent": None, "status": "working",
                "detail": "1 sub-agent", "since": NOW - 60, "rule": "some-rule", "evidence": "hook", "state": "running",
            },
            {
                "key": "x", "kind": "sub_agent", "type": "Explore", "parent": None, "status": "needs_approval",
                "detail": "Bash: npm test", "since": NOW - 60, "rule": "some-rule", "evidence": "hook",
                "state": "running",
            },
        ],
    }  # fmt: skip


def test_json_tells_whether_the_watcher_lives(tmp_path: Path) -> None:
    never = json.loads(run(tmp_path, "status", "--json").stdout)
    assert never["watcher"] == {"alive": False, "state": "gone", "pid": None, "beat": None}
    assert (never["known"], never["as_of"]) == (False, None)
    assert sum(never["counts"].values()) == never["counts"]["unknown"] == 1, "no calm zero"
    beat = time.time()
    with watcher(tmp_path, beat) as pid:
        found = json.loads(run(tmp_path, "status", "--json").stdout)
    assert found["watcher"] == {"alive": True, "state": "alive", "pid": pid, "beat": beat}
    assert found["known"]
    assert not any(found["counts"].values())
    after = json.loads(run(tmp_path, "status", "--json").stdout)["watcher"]
    assert after == {"alive": False, "state": "gone", "pid": None, "beat": beat}
    rest(tmp_path)
    resting = json.loads(run(tmp_path, "status", "--json").stdout)
    assert (resting["watcher"]["state"], resting["known"]) == ("resting", True)


def test_json_shows_helpers_and_every_field_only_when_asked(tmp_path: Path) -> None:
    put(tmp_path, *EXAMPLE.sessions)
    everybody = json.loads(run(tmp_path, "status", "--json", "--all").stdout)
    assert [one["session_id"] for one in everybody["sessions"]] == ["9df7420c", "cccc", "aaaa", "bbbb"]
    assert everybody["counts"]["working"] == 2
    full = json.loads(run(tmp_path, "status", "--json", "--full").stdout)["sessions"][0]
    assert {"entrypoint", "human", "terminal", "transcript", "hidden"} <= set(full)
    assert {"weighed", "name"} <= set(full["agents"][0])


def test_json_never_says_what_json_cannot_say() -> None:
    for since in (float("nan"), float("inf"), 10**400):
        some = statuses(session("a", since=since, human=since, agents=(agent(since=since),)), beat=since)
        found = json.loads(report.as_text(report.report(some, NOW, full=True)), parse_constant=pytest.fail)
        assert found["sessions"][0]["since"] == 0.0


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_texts_leave_json_and_terminal_whole(what: str, tmp_path: Path) -> None:
    put(tmp_path, hostile(HOSTILE[what]), session("good"))
    (one, _) = json.loads(run(tmp_path, "status", "--json", "--full").stdout)["sessions"]
    for said in (one["name"], one["detail"], one["agents"][1]["type"], one["agents"][2]["weighed"][0]["says"]):
        assert said.isprintable()
    for command in ("status", "explain"):
        found = run(tmp_path, command).stdout
        assert all(char == "\n" or char.isprintable() for char in found)
        assert max(map(len, found.splitlines())) < 1200
        assert "good-name" in found
    assert not (PROJECT / "x").exists()


def test_the_words_load_nothing_they_do_not_need() -> None:
    code = """
import argparse, sys
from statusbar import commands
parser = argparse.ArgumentParser()
commands.register(parser.add_subparsers())
args = parser.parse_args(["status", "--json"])
assert args.func(args) == 0
print(sorted({"curses", "watchdog", "psutil", "filelock", "asyncio", "subprocess"} & set(sys.modules)))
"""
    argv = [STATUSBAR[0], "-c", code]
    found = subprocess.run(argv, capture_output=True, text=True, cwd=PROJECT, check=True)
    assert found.stdout.splitlines()[-1] == "[]"


# On a terminal and over time


@contextmanager
def on_a_terminal(home: Path, *args: str, **env: str) -> Iterator[tuple[Any, int]]:
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 60, 0, 0))
    process = subprocess.Popen([*STATUSBAR, *args], stdout=theirs, env=environ(home, **env), cwd=PROJECT)
    os.close(theirs)
    try:
        yield process, ours
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def read_until(fd: int, wanted: str) -> str:
    """What the terminal was told, up to the wanted text or the end."""
    found = ""
    while wanted not in found:
        try:
            found += os.read(fd, 1 << 16).decode()
        except OSError:
            return found
    return found


@pytest.mark.parametrize(("env", "colourful"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)])
def test_a_terminal_gets_colours_unless_it_wants_none(env: dict[str, str], colourful: bool, tmp_path: Path) -> None:
    put(tmp_path, session("a", NEEDS_APPROVAL, detail="x" * 99))
    with watcher(tmp_path, time.time()), on_a_terminal(tmp_path, "status", **env) as (_, screen):
        found = read_until(screen, "\0")
    assert ("\x1b[1;31m" in found) == colourful
    assert "▲ needs approval" in found
    assert max(width(re.sub(r"\x1b\[[0-9;]*m", "", line)) for line in found.splitlines()) <= 60


def test_watching_on_a_terminal_draws_again_when_something_changes(tmp_path: Path) -> None:
    put(tmp_path, session("a"))
    with watcher(tmp_path, time.time()), on_a_terminal(tmp_path, "status", "--watch") as (process, screen):
        assert read_until(screen, "● 1 working").startswith("\x1b[H\x1b[2J")
        put(tmp_path, session("a", NEEDS_APPROVAL))
        again = read_until(screen, "▲ 1 needs you")
        assert "\x1b[H\x1b[2J" in again
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130


def test_being_told_to_end_comes_through_an_event_loop() -> None:
    """A loop keeps what its callbacks raise to itself, but for the end of the program."""

    async def wait() -> None:
        asyncio.get_running_loop().call_soon(commands._leave, signal.SIGTERM, None)
        await asyncio.sleep(FOREVER_S)

    with pytest.raises(commands._Terminated):
        asyncio.run(wait())


def line_of(process: subprocess.Popen[str]) -> dict[str, Any]:
    assert process.stdout
    found: dict[str, Any] = json.loads(process.stdout.readline())
    return found


def test_watching_in_a_pipe_gives_one_line_of_json_for_each_change_and_none_for_a_heartbeat(tmp_path: Path) -> None:
    put(tmp_path, session("a"))
    with watcher(tmp_path) as pid, piped(tmp_path, "status", "--json", "--watch") as process:
        assert line_of(process)["counts"]["working"] == 1
        store.replace(paths.heartbeat(str(tmp_path)), status.encode(Heartbeat(pid, "1", "0", time.time() + 1)))
        put(tmp_path, session("b"))
        assert line_of(process)["counts"]["working"] == 2
        store.remove(paths.status(str(tmp_path), "a"))
        assert [one["session_id"] for one in line_of(process)["sessions"]] == ["b"]
        process.send_signal(signal.SIGTERM)
        assert process.communicate() == ("", "")
        assert process.returncode == 143


def test_watching_begins_before_there_is_anything_and_goes_on_when_the_folder_is_made_anew(tmp_path: Path) -> None:
    home = tmp_path / "later"
    with piped(home, "status", "--json", "--watch") as process:
        assert line_of(process)["sessions"] == []
        put(home, session("a"))
        assert len(line_of(process)["sessions"]) == 1
        (home / "status").rename(home / "old")
        assert line_of(process)["sessions"] == []
        put(home, session("b"))
        assert len(line_of(process)["sessions"]) == 1


def test_a_reader_who_leaves_ends_the_watching_without_a_word(tmp_path: Path) -> None:
    put(tmp_path, session("a"))
    with piped(tmp_path, "status", "--watch", "--json") as process:
        line_of(process)
        assert process.stdout
        process.stdout.close()
        put(tmp_path, session("b"))
        assert process.wait() == 0
        assert process.stderr
        assert process.stderr.read() == ""


# explain


def test_explain_tells_verdict_rule_evidence_its_age_and_what_was_overruled() -> None:
    weighed = (
        Weighed("hook", "asked for Bash: npm test", NOW - 240, kind="told then"),
        Weighed("registry", "busy", NOW - 3, "two agents may be meant", "told now"),
    )
    one = session(
        "9df7420c",
        NEEDS_APPROVAL,
        name="api",
        team="crew",
        since=NOW - 240,
        agents=(
            agent(),
            agent("x", NEEDS_APPROVAL, type="Explore", detail="Bash: npm test", since=NOW - 240, weighed=weighed),
        ),
    )
    assert words(explain_page([one], statuses(one), NOW)) == (
        "api  /home/me/9df7420c\n"
        "9df7420c  process 7  team crew\n"
        "▲ needs approval for 4 m\n"
        "\n"
        "  main  agent, running\n"
        "    verdict   ● working for 1 m\n"
        "    rule      some-rule (from hook)\n"
        "\n"
        "  Explore  sub-agent, running\n"
        "    verdict   ▲ needs approval for 4 m: Bash: npm test\n"
        "    rule      some-rule (from hook)\n"
        "    evidence  hook        told then  4 m ago   asked for Bash: npm test\n"
        "              registry    told now   3 s ago   busy\n"
        "                                               overruled: two agents may be meant\n"
    )


KNOWN = statuses(session("aab", name="web"), session("aac", name="api"), session("x", name="apiary", hidden=True))


@pytest.mark.parametrize(("wanted", "found"), [("aab", "aab"), ("w", "aab"), ("api", "aac"), ("apia", "x"), ("x", "x")])
def test_a_session_is_found_by_the_beginning_of_its_id_or_name_and_a_whole_name_wins(wanted: str, found: str) -> None:
    assert [one.session_id for one in choose(KNOWN, wanted)] == [found]


@pytest.mark.parametrize(
    ("wanted", "answer"),
    [("aa", "'aa' matches several sessions"), ("ap", "several sessions"), ("zz", "no session 'zz'"), ("", "no")],
)
def test_a_word_that_fits_nobody_or_several_is_refused_with_those_who_are_there(wanted: str, answer: str) -> None:
    with pytest.raises(Unclear, match=answer) as refused:
        choose(KNOWN, wanted)
    assert "aac  api" in str(refused.value)


def test_explain_without_a_name_tells_all_but_helpers() -> None:
    assert [one.session_id for one in choose(KNOWN, None)] == ["aab", "aac"]
    assert len(choose(KNOWN, None, show_hidden=True)) == 3
    assert words(explain_page([], Statuses(heartbeat=RESTS), NOW)) == "No session to explain."


def test_an_unknown_session_is_an_error_with_exit_code_one(tmp_path: Path) -> None:
    unknown = run(tmp_path, "explain", "zz")
    assert (unknown.returncode, unknown.stderr) == (
        1,
        "yourturn: no session 'zz' found, but the list may be out of date (state unknown).\n",
    )
    with watcher(tmp_path, time.time()):
        found = run(tmp_path, "explain", "zz\x1b[31m")
        assert (found.returncode, found.stdout) == (1, "")
        assert found.stderr == "yourturn: no session 'zz [31m' found: no agent is running.\n"
        put(tmp_path, session("aab", name="web"))
        assert (
            run(tmp_path, "explain", "zz").stderr
            == "yourturn: no session 'zz' found. Running sessions:\n  aab  web  working\n"
        )


def test_explain_as_json_has_everything(tmp_path: Path) -> None:
    put(tmp_path, session("a", agents=(agent(weighed=(Weighed("hook", "said so", 5.0, kind="told then"),)),)))
    found = json.loads(run(tmp_path, "explain", "a", "--json").stdout)
    weighed = [{"source": "hook", "says": "said so", "at": 5.0, "overruled": "", "kind": "told then"}]
    assert found["sessions"][0]["agents"][0]["weighed"] == weighed


@pytest.mark.parametrize(
    "words",
    [
        ["status"],
        ["status", "--json"],
        ["status", "--all", "--json", "--full"],
        ["explain"],
        ["explain", "--json"],
        ["line", "--for", "waybar"],
        ["line", "--for", "xbar"],
    ],
    ids=" ".join,
)
def test_what_is_not_a_status_leaves_those_that_are(words: list[str], tmp_path: Path) -> None:
    put(tmp_path, session("good"))
    litter(tmp_path)
    found = run(tmp_path, *words)
    assert (found.returncode, found.stderr) == (0, "")
    assert "good-name" in found.stdout
    assert "later-name" in found.stdout
    assert "root:" not in found.stdout


@pytest.mark.parametrize("host", ["plain", "tmux", "polybar", "sketchybar", "starship"])
def test_a_line_counts_those_that_are_statuses(host: str, tmp_path: Path) -> None:
    put(tmp_path, session("good"))
    litter(tmp_path)
    found = run(tmp_path, "line", "--for", host)
    assert (found.returncode, found.stderr) == (0, "")
    assert "●2" in found.stdout


def test_statuses_that_are_no_longer_there_are_nothing(tmp_path: Path) -> None:
    put(tmp_path, session("good"))
    (tmp_path / "status" / "good.json").unlink()
    (tmp_path / "status").rmdir()
    for words in (["status"], ["explain"], ["line"], ["status", "--json"]):
        assert (run(tmp_path, *words).returncode, run(tmp_path, *words).stderr) == (0, "")


def test_a_state_folder_that_cannot_be_used_is_not_called_calm(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    found = run(tmp_path / "file", "status")
    assert "Nothing is waiting" not in found.stdout
    assert "The state folder cannot be used" in found.stdout
