"""The `yourturn` command as a whole: what it says and how it ends when streams are not as they should be."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.command import yourturn
from support.project import PROJECT
from support.showing import environ, put, session
from yourturn import GROUPS, ROOMS

YOURTURN = [sys.executable, str(PROJECT / "yourturn.py")]


def run(line: str, home: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """A line of a shell in which $0 is yourturn."""
    command = " ".join(YOURTURN)
    argv = ["sh", "-c", line.replace("yourturn", command)]
    return subprocess.run(argv, env=environ(home, **env), capture_output=True, text=True, check=False)


@pytest.mark.parametrize("words", ["status", "tree", "line", "explain", "status --json"])
def test_a_reader_that_has_gone_is_no_reason_to_complain(words: str, tmp_path: Path) -> None:
    put(tmp_path, *(session(f"s{k}") for k in range(50)))
    found = run(f"yourturn {words} | true", tmp_path)
    assert (found.returncode, found.stderr) == (0, "")


def test_help_for_nobody_is_no_reason_to_complain(tmp_path: Path) -> None:
    found = run("{ yourturn --help; echo $? >&2; } | true", tmp_path)
    assert found.stderr in ("0\n", "1\n")


def test_a_disk_that_is_full_is_said_once(tmp_path: Path) -> None:
    put(tmp_path, session("a"))
    found = run("yourturn status > /dev/full", tmp_path)
    assert (found.returncode, found.stderr) == (1, "yourturn: [Errno 28] No space left on device\n")


@pytest.mark.parametrize("words", ["status", "tree", "log", "explain", "line"])
def test_symbols_that_a_stream_cannot_say_break_nothing(words: str, tmp_path: Path) -> None:
    put(tmp_path, session("a", name="Bär", pid=os.getpid()))
    found = run(f"yourturn {words}", tmp_path, PYTHONIOENCODING="ascii")
    assert found.returncode == 0
    assert "Traceback" not in found.stderr


@pytest.mark.parametrize("words", ["up", "status", "tree", "line"])
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
def test_closed_streams_are_no_terminals(words: str, closed: str, tmp_path: Path) -> None:
    put(tmp_path, session("a"))
    found = run(f"yourturn {words} {closed}", tmp_path)
    assert "Traceback" not in found.stderr
    assert found.returncode in (0, 1)


def test_help_lists_every_command_once_in_its_group_and_fits_80_columns(tmp_path: Path) -> None:
    said = yourturn(tmp_path, "--help").stdout
    known = {word for words in ROOMS.values() for word in words} | {"up", "completion"}
    grouped = [word for words in GROUPS.values() for word in words]
    assert sorted(grouped) == sorted(known - {"targets", "keep", "collect", "take-back"})
    assert [line.split()[0] for line in said.splitlines() if line.startswith("  ")] == [*grouped, "--version"]
    assert max(map(len, said.splitlines())) <= 80


@pytest.mark.parametrize("word", sorted(word for words in GROUPS.values() for word in words))
def test_no_help_says_none(word: str, tmp_path: Path) -> None:
    found = yourturn(tmp_path, word, "--help")
    assert found.returncode == 0
    assert "None" not in found.stdout.split()


def test_without_a_command_it_says_how_to_begin_or_shows_the_board(tmp_path: Path) -> None:
    first = yourturn(tmp_path)
    assert (first.returncode, first.stderr) == (0, "")
    assert "yourturn install" in first.stdout
    put(tmp_path, session("a"))
    assert "a-name" in yourturn(tmp_path).stdout


def test_an_unknown_command_is_wrong_usage(tmp_path: Path) -> None:
    done = yourturn(tmp_path, "stauts")
    assert (done.returncode, done.stdout) == (2, "")
    words = "there is no command 'stauts'. Did you mean stats or status? All commands: yourturn --help"
    assert done.stderr == f"yourturn: {words}\n"


# what a command imports before it can begin

LOADED = """import sys, yourturn
yourturn.main(sys.argv[1:])
found = {"dataclasses", "inspect", "locale", "shutil", "subprocess", "typing"} & sys.modules.keys()
print(*found, file=sys.stderr)"""


@pytest.mark.parametrize("words", ["ps", "ps --json", "status", "status --json", "line", "line --for tmux", "targets"])
def test_a_command_that_somebody_waits_for_imports_nothing_that_takes_long(words: str, tmp_path: Path) -> None:
    put(tmp_path, session("a"))
    argv = [sys.executable, "-c", LOADED, *words.split()]
    env = environ(tmp_path, LANG="de_DE.UTF-8", YOURTURN_NO_WATCHER="1")
    done = subprocess.run(argv, env=env, cwd=PROJECT, capture_output=True, text=True, check=True)
    assert done.stdout
    assert done.stderr.splitlines()[-1] == ""
