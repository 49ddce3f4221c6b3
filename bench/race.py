"""Contestants in turns, so that whatever else the machine does meets all of them alike."""

from __future__ import annotations

import os
import statistics
import time
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    T = TypeVar("T")

MS = 1000.0


class Taken(NamedTuple):
    """Milliseconds of one process, from its start to its end."""

    wall: float
    cpu: float


def interleaved(contestants: Mapping[str, Callable[[], T]], rounds: int) -> dict[str, list[T]]:
    """One round to warm up, then so many that count."""
    assert rounds > 0
    assert contestants
    found: dict[str, list[T]] = {name: [] for name in contestants}
    for number in range(rounds + 1):
        for name in _order(list(contestants), number):
            found[name].append(contestants[name]())
    return {name: many[1:] for name, many in found.items()}


def _order(names: list[str], number: int) -> list[str]:
    """Everybody comes first, last and after everybody else now and then."""
    names = names if number % 2 else names[::-1]
    shift = number // 2 % len(names)
    return names[shift:] + names[:shift]


def run(argv: list[str], env: Mapping[str, str], given: str = os.devnull) -> Taken:
    """Run a program that must succeed; `given` is the file on its standard input."""
    began = time.perf_counter()
    pid = _start(argv, env, given)
    _, status, used = os.wait4(pid, 0)
    wall = (time.perf_counter() - began) * MS
    _must_be_well(status, argv)
    return Taken(wall, (used.ru_utime + used.ru_stime) * MS)


def run_together(argv: list[str], env: Mapping[str, str], given: Sequence[str]) -> float:
    """One process for each of these files, all at once; milliseconds until the last has ended."""
    began = time.perf_counter()
    pids = [_start(argv, env, one) for one in given]
    ends = [os.waitpid(pid, 0)[1] for pid in pids]
    wall = (time.perf_counter() - began) * MS
    for status in ends:
        _must_be_well(status, argv)
    return wall


def _start(argv: list[str], env: Mapping[str, str], given: str) -> int:
    files = [
        (os.POSIX_SPAWN_OPEN, 0, given, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
    ]
    return os.posix_spawn(argv[0], argv, env, file_actions=files)


def _must_be_well(status: int, argv: list[str]) -> None:
    if status:
        raise SystemExit(f"bench: exit status {os.waitstatus_to_exitcode(status)} of {' '.join(argv)}")


def clock(work: Callable[[], object]) -> float:
    """Milliseconds of a piece of work in this process."""
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * MS


def median(values: Sequence[float]) -> float:
    return statistics.median(values)


def p95(values: Sequence[float]) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * 0.95))]
