"""The guard that lets no test leave a child process behind."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from support.children import LONGEST_S, LeftBehindError, children, none_left
from support.patience import PATIENCE_S, until
from support.project import PROJECT, TESTS

TWO_TESTS = """
import os, psutil, subprocess
from support import children
from support.patience import until

children.LONGEST_S = 0.0

def test_that_leaks():
    process = psutil.Process(os.posix_spawnp("sleep", ["sleep", "600"], os.environ))
    until(process.cmdline, "its arguments: a program that is being loaded shows none")

def test_that_waits():
    subprocess.run(["true"], check=True)
"""
PYTEST = [sys.executable, "-m", "pytest", "-p", "conftest", "-p", "no:randomly", "-p", "no:cacheprovider"]


@pytest.fixture(scope="module")
def neighbour() -> Iterator["subprocess.Popen[bytes]"]:
    with subprocess.Popen(["sleep", "600"]) as process:
        yield process
        process.kill()


def leaked(*argv: str) -> int:
    return os.posix_spawnp(argv[0], argv, os.environ)


def leaked_and_loaded(*argv: str) -> int:
    """While a program is being loaded, it shows no arguments."""
    pid = leaked(*argv)
    until(psutil.Process(pid).cmdline, "its arguments")
    return pid


def leaked_and_ended() -> None:
    process = psutil.Process(leaked("true"))
    until(lambda: process.status() == psutil.STATUS_ZOMBIE)


def test_a_test_that_leaves_a_child_is_an_error_and_the_one_after_it_is_none(tmp_path: Path) -> None:
    (tmp_path / "test_two.py").write_text(TWO_TESTS)
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": f"{PROJECT}:{TESTS}"}
    words = [*PYTEST, "-c", str(PROJECT / "pyproject.toml"), "--rootdir", str(tmp_path), str(tmp_path)]
    done = subprocess.run(words, env=env, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert "2 passed, 1 error" in done.stdout, done.stdout
    assert "ERROR at teardown of test_that_leaks" in done.stdout
    assert "(sleep 600)" in done.stdout


def test_what_was_left_is_ended() -> None:
    pids: list[int] = []
    with pytest.raises(LeftBehindError, match=r"\(sleep 600\)"), none_left(seconds=0):
        pids.append(leaked_and_loaded("sleep", "600"))
    assert not psutil.pid_exists(pids[0])


def test_a_child_that_has_ended_but_that_nobody_waited_for_is_left() -> None:
    with pytest.raises(LeftBehindError, match=r"\(has ended\)"), none_left(seconds=0):
        leaked_and_ended()


def test_a_child_that_was_there_before_is_not_the_tests(neighbour: "subprocess.Popen[bytes]") -> None:
    with none_left(seconds=0):
        assert neighbour.pid in children()


def test_a_thread_may_still_wait_for_its_child() -> None:
    with none_left(LONGEST_S):
        process = subprocess.Popen(["cat"], stdin=subprocess.PIPE)
        waits = threading.Thread(target=process.communicate)
        waits.start()
    waits.join()  # the child is gone a moment before it has been told so
    assert process.returncode == 0
