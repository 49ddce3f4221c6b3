"""The suite again and again, each time as a newcomer has it: a fresh clone with a .venv of its own.

Every other time two busy loops run beside it: a test whose verdict depends on the speed of the machine shows here.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
LOOPS = 2
BUSY = [sys.executable, "-c", "while True: pass"]
USAGE = "usage: tools/steady.sh TIMES [words for pytest]"
LAST_LINE = re.compile(r"^(?:=+ )?(\d+ \w+(?:, \d+ \w+)*) in [\d.]+s", re.MULTILINE)
NAMES = re.compile(r"^(?:FAILED|ERROR) (\S+::\w+(?:\[.*?\])?)(?= - |$)", re.MULTILINE)
TAIL = 30  # lines of a run that failed without the name of a test


class Run(NamedTuple):
    code: int
    said: str
    seconds: float

    def count(self, word: str) -> int:
        """Of the tests that ended so, in all parts of the suite."""
        ends = ", ".join(LAST_LINE.findall(self.said))
        return sum(int(number) for number in re.findall(rf"(\d+) {word}", ends))

    @property
    def failed(self) -> list[str]:
        return sorted(set(NAMES.findall(self.said)))

    @property
    def is_green(self) -> bool:
        """A run in which nothing was tested proves nothing."""
        return self.code == 0 and not self.failed and self.count("passed") > 0


def line(number: int, run: Run, *, is_busy: bool, load: float) -> str:
    counted = f"{run.count('passed'):5} passed  {run.count('failed') + run.count('error'):3} failed"
    word = "green" if run.is_green else "RED"
    return f"run {number:2}  {word:5}  {counted}  {run.seconds:4.0f} s  busy loops: {_word(is_busy)}  load {load:.1f}"


def main(words: list[str], root: str = ROOT) -> int:
    if not words or not words[0].isdecimal() or not int(words[0]):
        print(USAGE, file=sys.stderr)
        return 2
    for number in SIGNALS:
        signal.signal(number, signal.default_int_handler)
    try:
        green = [_told(k + 1, words[1:], root) for k in range(int(words[0]))]
    except KeyboardInterrupt:
        return 130
    return 0 if all(green) else 1


def _told(number: int, words: list[str], root: str) -> bool:
    is_busy = number % 2 == 0
    run = once(root, words, is_busy=is_busy)
    print(line(number, run, is_busy=is_busy, load=os.getloadavg()[0]), flush=True)
    if not run.is_green:
        print("\n".join(f"    {name}" for name in run.failed) or run.said[-TAIL * 120 :], flush=True)
        print(f"    all that it said: {_kept(run)}", flush=True)
    return run.is_green


def once(root: str, words: list[str], *, is_busy: bool) -> Run:
    with tempfile.TemporaryDirectory(prefix="yourturn-steady-", ignore_cleanup_errors=True) as folder:
        os.chmod(folder, 0o755)  # noqa: S103 - some tests look at the project as somebody else
        clone = f"{folder}/yourturn"
        subprocess.run(["git", "clone", "--quiet", root, clone], check=True)
        _set_up(clone)
        with busy_loops(LOOPS if is_busy else 0):
            began = time.monotonic()
            code, said = _suite(clone, words)
            return Run(code, said, time.monotonic() - began)


def _set_up(clone: str) -> None:
    """What it says is worth reading only when it fails."""
    pipe, mixed = subprocess.PIPE, subprocess.STDOUT
    done = subprocess.run(["tools/setup.sh"], cwd=clone, stdout=pipe, stderr=mixed, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{done.stdout}steady: a fresh clone could not be set up")


@contextlib.contextmanager
def busy_loops(number: int) -> Iterator[None]:
    """However this ends, they end with it."""
    with contextlib.ExitStack() as stack:
        for _ in range(number):
            with _at_once():
                loop = subprocess.Popen(BUSY)
                stack.callback(loop.wait)
                stack.callback(loop.kill)
        yield


@contextlib.contextmanager
def _at_once() -> Iterator[None]:
    """A signal is heard afterwards: one between a start and the note of it would leave the process behind."""
    came: list[int] = []
    before = {number: signal.signal(number, lambda number, _: came.append(number)) for number in SIGNALS}
    try:
        yield
    finally:
        for number, heard in before.items():
            signal.signal(number, heard)
    if came:
        raise KeyboardInterrupt


def _suite(clone: str, words: list[str]) -> tuple[int, str]:
    """In a group of its own, so that its workers end with it when somebody breaks off."""
    pipe, mixed = subprocess.PIPE, subprocess.STDOUT
    with contextlib.ExitStack() as stack:
        with _at_once():
            suite = subprocess.Popen(
                ["tools/test.sh", *words], cwd=clone, stdout=pipe, stderr=mixed, text=True, start_new_session=True
            )
            stack.enter_context(suite)
            stack.callback(_end, suite)
        said, _ = suite.communicate()
        return suite.returncode, said


def _end(suite: subprocess.Popen[str]) -> None:
    if suite.returncode is None:
        os.killpg(suite.pid, signal.SIGTERM)


def _kept(run: Run) -> str:
    handle, path = tempfile.mkstemp(prefix="yourturn-steady-", suffix=".log")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(run.said)
    return path


def _word(yes: object) -> str:
    return "yes" if yes else "no"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
