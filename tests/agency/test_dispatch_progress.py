"""On a terminal one sees how far it is; in a pipe there is nothing but results."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios

import pytest

from agency.dispatch.progress import Count, bar
from support.batches import Batch, shell
from support.command import YOURTURN
from support.project import PROJECT
from support.showing import environ


def on_a_terminal(batch: Batch, *words: str, **env: str) -> str:
    """What is written to it as standard error."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 60, 0, 0))
    argv = [*YOURTURN, "dispatch", str(batch.tasks), *words, "--cwd", str(batch.folder)]
    with subprocess.Popen(
        argv, stderr=theirs, stdout=subprocess.DEVNULL, env=environ(batch.home, **env), cwd=PROJECT
    ) as process:
        os.close(theirs)
        found = b""
        try:
            while chunk := os.read(ours, 1 << 16):
                found += chunk
        except OSError:  # how a terminal says that all have left
            pass
        process.wait()
    os.close(ours)
    return found.decode()


def test_a_bar_says_how_far_it_is_and_what_runs() -> None:
    assert bar(Count(8, 2, 1, ("c", "d"))) == "█████░░░░░░░░░░░░░░░ 2/8 done, 2 running, 1 failed: c, d"
    assert bar(Count(8, 8, 0, ())) == "████████████████████ 8/8 done, 0 running"
    assert bar(Count(8, 0, 0, ()), "waiting for room").endswith("0 running: waiting for room")


def test_on_a_terminal_each_end_has_a_line_above_the_bar(batch: Batch) -> None:
    batch.write(shell("true", id="good"), shell("exit 3", id="bad"))
    seen = on_a_terminal(batch, "--workers", "1", "--keep-going")
    assert "0/2 done, 1 running: good" in seen
    assert "1/2 done, 1 running: bad" in seen
    assert "\x1b[32mgood: completed\x1b[0m" in seen
    assert "\x1b[1;31mbad: failed (exit 3)\x1b[0m" in seen
    assert seen.endswith("\r\x1b[K"), "the bar is gone at the end"


def test_what_a_worker_says_stands_clean_above_the_bar(batch: Batch) -> None:
    """It may come from anywhere: a control character must not reach the terminal, nor a half line the bar."""
    batch.write(shell("printf 'one\\ntwo\\033[2J' >&2; sleep 0.01; printf ' more' >&2", id="talks"))
    seen = on_a_terminal(batch)
    assert "\r\x1b[K\x1b[2mtalks: one\x1b[0m\r\n" in seen
    assert "\r\x1b[K\x1b[2mtalks: two [2J more\x1b[0m\r\n" in seen
    assert "\x1b[2J" not in seen


def test_in_a_pipe_what_a_worker_says_goes_through_as_it_is(batch: Batch) -> None:
    batch.write(shell("echo as it is >&2", id="talks"))
    assert batch.run().stderr.endswith(" at a time\nas it is\n")


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_there_are_no_colours_where_nobody_wants_them(batch: Batch, env: dict[str, str]) -> None:
    batch.write(shell("exit 3", id="bad"))
    seen = on_a_terminal(batch, **env)
    assert "bad: failed (exit 3)" in seen
    assert not re.search(r"\x1b\[[0-9;]*m", seen)
    assert ("░" in seen) == ("NO_COLOR" in env), "a dumb terminal cannot clear a line"


def test_in_a_pipe_only_the_id_is_told(batch: Batch) -> None:
    batch.write("true", "true")
    assert re.fullmatch(r"yourturn: dispatch [0-9a-f]{8}: 2 tasks, 4 at a time\n", batch.run().stderr)
