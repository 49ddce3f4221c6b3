"""What the first look at a transcript costs, however long it is."""

from __future__ import annotations

import os
import tracemalloc
from functools import partial
from typing import TYPE_CHECKING

from bench import figure, growth, lines, place, race
from bench.budget import Budget
from bench.figure import Figure
from watcher.clients.claude.transcripts import Followed
from watcher.clock import Clock

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bench.dose import Dose
    from bench.place import Place

MB = 1_000_000
SIZES = (1, 10, 100, 1000)
ROUNDS = 60
MOST, MOST_MB = 2.0, 16.0
SESSION = "9df7420c-3c33-4845-8b68-60c055e751a8"
HISTORY, OPEN = 20, 30  # calls of a turn that is over, and of the one that is open


def figures(dose: Dose) -> Iterator[Figure]:
    with place.folder() as path:
        taken, peaks = measure(place.Place(path), dose.rounds(ROUNDS), dose.sizes(SIZES))
    yield from told(taken, peaks)


def measure(where: Place, rounds: int, sizes: Sequence[int]) -> tuple[dict[int, list[float]], dict[int, float]]:
    """Milliseconds of each look, and the memory of one, at each length in megabytes."""
    files = {size: f"{where.path}/{size}.jsonl" for size in sizes}
    try:
        for size, path in files.items():
            write(path, size * MB)
        taken = race.interleaved({str(size): partial(look, path) for size, path in files.items()}, rounds)
        return {int(size): many for size, many in taken.items()}, {size: peak(path) for size, path in files.items()}
    finally:
        for path in files.values():
            os.unlink(path)


def told(taken: Mapping[int, Sequence[float]], peaks: Mapping[int, float]) -> Iterator[Figure]:
    first = min(taken)
    for size, many in taken.items():
        ratio = race.median(many) / race.median(taken[first])
        budgets = (Budget(ratio, MOST),) if size == max(taken) else ()
        key, what = f"watcher.sight.{size}", f"first sight of {size} MB"
        yield figure.beside(key, what, many, f"{first} MB", taken[first], budgets=budgets)
    points = {float(size): race.median(many) for size, many in taken.items()}
    yield from growth.figures("watcher.sight", "first sight", points)
    most = max(peaks.values())
    budget = Budget(most, MOST_MB, "MB")
    yield Figure("watcher.sight.memory", "first sight, memory at most", most, "MB", budgets=(budget,))


def write(path: str, size: int) -> None:
    """Turns that are over, again and again, and an open one at the end."""
    block, end = lines.turn(SESSION, HISTORY), lines.turn(SESSION, OPEN, ended=False)
    chunk = block * max(1, 4 * MB // len(block))
    with open(path, "wb") as file:
        while (room := size - len(end) - file.tell()) > 0:
            file.write(chunk if room > len(chunk) else block)
        file.write(end)


def look(path: str) -> float:
    followed = Followed(path, sidechain=False)
    clock = Clock()
    took = race.clock(lambda: followed.look(clock.tick(), clock))
    assert followed.turn.open, "the open turn was not found"
    return took


def peak(path: str) -> float:
    tracemalloc.start()
    try:
        look(path)
        return tracemalloc.get_traced_memory()[1] / MB
    finally:
        tracemalloc.stop()
