"""`yourturn status` on a terminal, and over time."""

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
from contract.status import NEEDS_APPROVAL, Heartbeat
from statusbar.text.width import width
from support.project import PROJECT
from support.showing import STATUSBAR, environ, piped, put, session, watcher


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
    """What the terminal was told, up to the wanted text, in whatever colours, or the end."""
    found = ""
    while wanted not in bare(found):
        try:
            found += os.read(fd, 1 << 16).decode()
        except OSError:
            return found
    return found


def bare(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


@pytest.mark.parametrize(("env", "colourful"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)])
def test_a_terminal_gets_colours_unless_it_wants_none(env: dict[str, str], colourful: bool, tmp_path: Path) -> None:
    put(tmp_path, session("a", NEEDS_APPROVAL, detail="x" * 99))
    with watcher(tmp_path, time.time()), on_a_terminal(tmp_path, "status", **env) as (_, screen):
        found = read_until(screen, "\0")
    assert ("\x1b[1;31m" in found) == colourful
    assert "▲ needs approval" in bare(found)
    assert max(width(bare(line)) for line in found.splitlines()) <= 60


def test_watching_on_a_terminal_draws_again_when_something_changes(tmp_path: Path) -> None:
    put(tmp_path, session("a"))
    with watcher(tmp_path, time.time()), on_a_terminal(tmp_path, "status", "--watch") as (process, screen):
        assert read_until(screen, "● 1 working").startswith("\x1b[H\x1b[2J")
        put(tmp_path, session("a", NEEDS_APPROVAL))
        again = read_until(screen, "▲ 1 needs you")
        assert "\x1b[H\x1b[2J" in again
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130


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
