"""Watchers of few and of many agents, all at the same time: at rest and busy, their share of a core, their memory."""

from __future__ import annotations

import time
from contextlib import ExitStack
from itertools import cycle
from typing import TYPE_CHECKING, NamedTuple

from bench import figure, growth, place, race
from bench.budget import Budget
from bench.crowd import Crowd
from bench.figure import Figure
from bench.place import Place
from bench.watching import Watching

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from bench.dose import Dose

SIZES = (1, 20, 200, 1000)
SLICES, SLICE_S = 12, 5.0
EVENTS_PER_S = 4
SETTLE_S = 14.0  # the watcher judges what is new again and again for 8 s, and looks twice at what was just written
GRAIN = 0.05  # percent of a core: less is the machine's own noise
MOST_CPU = {20: 0.5, 1000: 2.0}
MOST_MB = {20: 40.0}
REST, BUSY = "at rest", "busy"


class Seen(NamedTuple):
    """Of one watcher: percent of one core in each slice, and megabytes at the end."""

    shares: dict[str, list[float]]
    memory: float


def figures(dose: Dose) -> Iterator[Figure]:
    with place.folder() as path:
        found = measure(Place(path), dose.sizes(SIZES), dose.rounds(SLICES), SLICE_S)
    yield from told(found)


def measure(where: Place, sizes: Sequence[int], slices: int, slice_s: float) -> dict[int, Seen]:
    with ExitStack() as stack:
        crowds = {size: stack.enter_context(Crowd(Place(f"{where.path}/{size}"), size)) for size in sizes}
        watching = {size: stack.enter_context(Watching(crowd.where)) for size, crowd in crowds.items()}
        for size, one in watching.items():
            one.wait_for(size)
        time.sleep(SETTLE_S if slice_s >= SLICE_S else slice_s)
        rest = _shares(watching, slices, lambda: time.sleep(slice_s))
        busy = _shares(watching, slices, _Work(crowds, slice_s))
        memory = {size: one.seen.memory_info().rss / 1e6 for size, one in watching.items()}
    return {size: Seen({REST: rest[size], BUSY: busy[size]}, memory[size]) for size in sizes}


def _shares(watching: Mapping[int, Watching], slices: int, meanwhile: Callable[[], object]) -> dict[int, list[float]]:
    """Of all watchers in the same seconds."""
    shares: dict[int, list[float]] = {size: [] for size in watching}
    for _ in range(slices):
        began, before = time.perf_counter(), {size: one.spent() for size, one in watching.items()}
        meanwhile()
        took = time.perf_counter() - began
        for size, one in watching.items():
            shares[size].append((one.spent() - before[size]) / took * 100)
    return shares


class _Work:
    """The same events in each crowd, one session after the other."""

    def __init__(self, crowds: Mapping[int, Crowd], seconds: float) -> None:
        self._turns = [(crowd, cycle(crowd.sessions)) for crowd in crowds.values()]
        self._seconds = seconds

    def __call__(self) -> None:
        end = time.perf_counter() + self._seconds
        while (left := end - time.perf_counter()) > 0:
            for crowd, sessions in self._turns:
                crowd.goes_on(next(sessions))
            time.sleep(min(left, 1 / EVENTS_PER_S))


def told(found: Mapping[int, Seen]) -> Iterator[Figure]:
    first = min(found)
    for way in (REST, BUSY):
        for size, seen in found.items():
            yield _share(way, size, seen.shares[way], found[first].shares[way], first)
        points = {float(size): race.median(seen.shares[way]) for size, seen in found.items()}
        yield from growth.figures(f"watcher.cpu.{way}", f"watcher {way}: of one core", points)
    for size, seen in found.items():
        yield _memory(size, seen.memory, found[first].memory, first)
    points = {float(size): seen.memory for size, seen in found.items()}
    yield from growth.figures("watcher.memory", "watcher: memory", points)


def _share(way: str, size: int, shares: Sequence[float], other: Sequence[float], first: int) -> Figure:
    events = f", {EVENTS_PER_S} events/s" if way == BUSY else ""
    what = f"watcher {way}, {_agents(size)}{events}: of one core"
    made = figure.of(f"watcher.cpu.{way}.{size}", what, shares, "%", grain=GRAIN)
    base = race.median(other)
    ratio = made.middle / base if base > 0 else None
    budgets = [Budget(made.middle, MOST_CPU[size], "%", hard=False)] if way == REST and size in MOST_CPU else []
    return made._replace(against=_agents(first), ratio=ratio, budgets=budgets)


def _memory(size: int, memory: float, other: float, first: int) -> Figure:
    budgets = [Budget(memory, MOST_MB[size], "MB", hard=False)] if size in MOST_MB else []
    key, what = f"watcher.memory.{size}", f"watcher, {_agents(size)}: memory"
    return Figure(key, what, memory, "MB", against=_agents(first), ratio=memory / other, budgets=budgets)


def _agents(size: int) -> str:
    return f"{size:,} agent{'' if size == 1 else 's'}"
