"""Fails a test that leaves a child process of its worker behind.

A child is left until somebody has waited for it, so one that has ended by itself counts like one that runs: otherwise
it would depend on the speed of the machine whether the leak is seen.
"""

from __future__ import annotations

import os
import signal
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from support.patience import PATIENCE_S, until

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST_S = PATIENCE_S  # for a thread that a test left, and that still waits for a child of its own
TASKS = Path("/proc/self/task")
IS_LISTED = (TASKS / str(os.getpid()) / "children").exists()


class LeftBehindError(AssertionError):
    """A test started a process and did not wait for its end."""


@contextmanager
def none_left(seconds: float) -> Iterator[None]:
    before = children()
    yield
    try:
        until(lambda: not children() - before, seconds=seconds)
    except AssertionError:
        left = sorted(children() - before)
        words = ", ".join(ended(pid) for pid in left)
        raise LeftBehindError(f"child processes left behind, nobody waited for their end: {words}") from None


def children() -> set[int]:
    """What two lists in a row agree on: a thread that ends in between hands its children to another one."""
    found = _children()
    while (again := _children()) != found:
        found = again
    return found


def _children() -> set[int]:
    if not IS_LISTED:
        return {child.pid for child in psutil.Process().children()}
    return {int(pid) for task in TASKS.iterdir() for pid in _listed(task)}


def _listed(task: Path) -> list[str]:
    try:
        return (task / "children").read_text().split()
    except OSError:  # the thread has ended
        return []


def ended(pid: int) -> str:
    """What it was. Until we have waited for it, its number is nobody else's."""
    words = f"{pid} ({_arguments(pid)})"
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return words


def _arguments(pid: int) -> str:
    try:
        return " ".join(psutil.Process(pid).cmdline())
    except psutil.ZombieProcess:
        return "has ended"
