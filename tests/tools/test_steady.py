"""The suite again and again: real clones of a small repository, whose suite does as the test says."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import psutil
import pytest

from support.patience import PATIENCE_S, until
from support.project import PROJECT
from tools.steady import Run, line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WHO = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
GREEN = "....  [100%]\n4 passed, 1 skipped in 1.25s\n.. [100%]\n2 passed in 61.30s (0:01:01)\n"
RED = """=========================== short test summary info ============================
SKIPPED [2] tests/support/needs.py:26: NOT TESTED, missing here: kitty
FAILED tests/test_a.py::test_one[a - b] - AssertionError: no - not so
ERROR tests/test_b.py::test_two
1 failed, 2781 passed, 2 skipped, 1 error in 271.26s (0:04:31)
"""


def test_a_run_counts_all_parts_of_the_suite() -> None:
    run = Run(0, GREEN, 62.4)
    assert (run.count("passed"), run.count("skipped"), run.failed, run.is_green) == (6, 1, [], True)
    assert line(3, run, is_busy=True, load=5.06) == (
        "run  3  green      6 passed    0 failed    62 s  busy loops: yes  load 5.1"
    )


def test_a_run_names_what_failed() -> None:
    run = Run(1, RED, 271.0)
    assert run.failed == ["tests/test_a.py::test_one[a - b]", "tests/test_b.py::test_two"]
    assert "RED     2781 passed    2 failed" in line(1, run, is_busy=False, load=0.0)


@pytest.mark.parametrize(
    ("code", "said"), [(0, "no tests ran in 0.01s\n"), (1, GREEN), (0, RED)], ids=["nothing ran", "exit 1", "a name"]
)
def test_what_proves_nothing_is_not_green(code: int, said: str) -> None:
    assert not Run(code, said, 1.0).is_green


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """A repository of its own, committed; its suite runs `suite.sh`, which lies outside of it."""
    project = tmp_path / "project"
    (project / "tools").mkdir(parents=True)
    for name, text in (("setup.sh", "touch made"), ("test.sh", f". {tmp_path}/suite.sh")):
        (project / "tools" / name).write_text(f"#!/bin/sh\n{text}\n")
        (project / "tools" / name).chmod(0o755)
    for words in (["init", "-q"], ["add", "-A"], [*WHO, "commit", "-q", "-m", "x"]):
        subprocess.run(["git", *words], cwd=project, check=True)
    return project


def argv(project: Path, *words: str, prelude: str = "") -> list[str]:
    code = f"{prelude}import sys; from tools import steady; sys.exit(steady.main({list(words)!r}, {str(project)!r}))"
    return [sys.executable, "-c", code]


SIGNAL_AT_START = """
import os, signal, subprocess
class Popen(subprocess.Popen):
    def __init__(self, argv, **more):
        super().__init__(argv, **more)
        if {word!r} in argv[-1] and os.path.exists(os.environ["TMPDIR"] + "/again"):
            os.kill(os.getpid(), signal.SIGTERM)
subprocess.Popen = Popen
"""
HANGS = """
if [ -f "$TMPDIR/again" ]; then : > "$TMPDIR/there"; sleep 3600; fi
touch "$TMPDIR/again"; echo "1 passed in 1.0s"
"""


def steady(project: Path, *words: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "TMPDIR": str(project.parent)}
    return subprocess.run(argv(project, *words), cwd=PROJECT, env=env, capture_output=True, text=True, check=False)


def test_each_run_has_a_clone_of_its_own_that_goes_with_it(suite: Path) -> None:
    (suite.parent / "suite.sh").write_text(
        '[ -f made ] && pwd >> "$TMPDIR/places" && ls -ld .. | cut -c1-10 >> "$TMPDIR/modes"; echo "3 passed in 0.1s"\n'
    )
    done = steady(suite, "3")
    assert (done.returncode, done.stderr) == (0, "")
    assert [one.split()[:5] for one in done.stdout.splitlines()] == [
        ["run", str(k), "green", "3", "passed"] for k in (1, 2, 3)
    ]
    assert [one.split("busy loops: ")[1].split()[0] for one in done.stdout.splitlines()] == ["no", "yes", "no"]
    places = (suite.parent / "places").read_text().splitlines()
    assert len(set(places)) == 3
    assert (suite.parent / "modes").read_text().split() == ["drwxr-xr-x"] * 3, "some tests look as somebody else"
    assert not any(map(os.path.exists, places))


def test_a_failure_is_named_and_the_others_still_run(suite: Path) -> None:
    (suite.parent / "suite.sh").write_text(
        'if [ -f "$TMPDIR/again" ]; then echo "1 passed in 1.0s"; exit; fi; touch "$TMPDIR/again"\n'
        'echo "FAILED tests/test_a.py::test_one - no"; echo "1 failed, 7 passed in 1.0s"; exit 1\n'
    )
    done = steady(suite, "2")
    assert done.returncode == 1
    red, name, kept, green = done.stdout.splitlines()
    assert (red.split()[2], name.strip(), green.split()[2]) == ("RED", "tests/test_a.py::test_one", "green")
    with open(kept.partition(": ")[2], encoding="utf-8") as file:
        assert "1 failed, 7 passed" in file.read()


def test_a_clone_that_cannot_be_set_up_is_told_with_the_reason(suite: Path) -> None:
    (suite / "tools" / "setup.sh").write_text("#!/bin/sh\necho no python here >&2\nexit 1\n")
    subprocess.run(["git", *WHO, "commit", "-q", "-a", "-m", "x"], cwd=suite, check=True)
    done = steady(suite, "1")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "no python here\nsteady: a fresh clone could not be set up\n"


def test_words_for_pytest_reach_it(suite: Path) -> None:
    (suite.parent / "suite.sh").write_text('[ "$1 $2" = "-m not e2e" ] && echo "1 passed in 0.1s"\n')
    assert steady(suite, "1", "-m", "not e2e").returncode == 0


@pytest.mark.parametrize("words", [(), ("0",), ("many",), ("-m", "e2e")])
def test_who_does_not_say_how_often_is_told_to(words: tuple[str, ...], suite: Path) -> None:
    done = steady(suite, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("usage: tools/steady.sh TIMES")


@pytest.fixture
def running(suite: Path) -> Iterator[subprocess.Popen[bytes]]:
    """In its second run, which is at a command that does not end by itself."""
    (suite.parent / "suite.sh").write_text(HANGS)
    env = {**os.environ, "TMPDIR": str(suite.parent)}
    quiet = subprocess.DEVNULL
    with subprocess.Popen(argv(suite, "2"), cwd=PROJECT, env=env, stdout=quiet, stderr=quiet) as made:
        try:
            until((suite.parent / "there").exists, "the second run")
            yield made
        finally:
            left = psutil.Process(made.pid).children(recursive=True) if made.poll() is None else []
            made.kill()
            for one in left:
                one.kill()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda one: one.name)
def test_who_breaks_off_leaves_neither_loops_nor_suite_nor_clone(
    number: signal.Signals, running: subprocess.Popen[bytes], suite: Path
) -> None:
    ours = psutil.Process(running.pid)
    below = until(lambda: len(found := ours.children(recursive=True)) == 4 and found, "two loops, a suite, its command")
    assert sum("while True" in " ".join(one.cmdline()) for one in below) == 2
    running.send_signal(number)
    assert running.wait(PATIENCE_S) == 130
    assert psutil.wait_procs(below, timeout=PATIENCE_S)[1] == []
    assert list(suite.parent.glob("yourturn-steady-*")) == []


@pytest.mark.parametrize("word", ["while True", "test.sh"], ids=["a loop", "the suite"])
def test_who_breaks_off_while_something_is_being_started_leaves_nothing_either(word: str, suite: Path) -> None:
    """The signal comes when the process is there, and nobody has taken note of it yet."""
    (suite.parent / "suite.sh").write_text(HANGS)
    prelude = SIGNAL_AT_START.format(word=word)
    env, quiet = {**os.environ, "TMPDIR": str(suite.parent)}, subprocess.DEVNULL
    try:
        done = subprocess.run(argv(suite, "2", prelude=prelude), cwd=PROJECT, env=env, stdout=quiet, check=False)
        assert done.returncode == 130
        until(lambda: not left(suite), lambda: str(left(suite)))
        assert list(suite.parent.glob("yourturn-steady-*")) == []
    finally:
        for one in left(suite):
            one.kill()


def left(suite: Path) -> list[psutil.Process]:
    """Processes of this test, by its folder in their environment."""
    return [one for one in psutil.process_iter() if _folder(one) == str(suite.parent)]


def _folder(process: psutil.Process) -> str | None:
    with contextlib.suppress(psutil.Error):
        return process.environ().get("TMPDIR")
    return None
