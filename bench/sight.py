"""What the first look at a transcript costs, however long it is."""

from __future__ import annotations

import os
import tracemalloc
from functools import partial
from typing import TYPE_CHECKING

from bench import lines, race
from bench.table import Budget, Row, Table, ms, times
from watcher.clock import Clock
from watcher.following import Followed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bench.place import Place

MB = 1_000_000
SIZES = (1, 100, 1000)
MOST, MOST_MB = 2.0, 16.0
SESSION = "9df7420c-3c33-4845-8b68-60c055e751a8"
HISTORY, OPEN = 20, 30  # calls of a turn that is over, and of the one that is open


def measure(where: Place, rounds: int, sizes: Sequence[int] = SIZES) -> Iterator[Table]:
    files = {size: f"{where.path}/{size}.jsonl" for size in sizes}
    try:
        for size, path in files.items():
            write(path, size * MB)
        taken = race.interleaved({str(size): partial(look, path) for size, path in files.items()}, rounds)
        peaks = [peak(path) for path in files.values()]
    finally:
        for path in files.values():
            os.unlink(path)
    middles = [race.median(many) for many in taken.values()]
    ratio, most = max(middles) / min(middles), max(peaks)
    yield Table(
        f"A transcript at first sight, {rounds} rounds, interleaved",
        (*(f"{size} MB" for size in sizes), "longest to shortest"),
        [
            Row("time", (*map(ms, middles), times(ratio)), (Budget(ratio, MOST),)),
            Row("memory at its peak", [f"{one:.2f} MB" for one in peaks], (Budget(most, MOST_MB, "MB"),)),
        ],
    )


def write(path: str, size: int) -> None:
    """Turns that are over, again and again, and an open one at the end."""
    block, end = lines.turn(SESSION, HISTORY), lines.turn(SESSION, OPEN, ended=False)
    chunk = block * max(1, 4 * MB // len(block))
    with open(path, "wb") as file:
        while (room := size - len(end) - file.tell()) > 0:
            file.write(chunk if room > len(chunk) else block)
        file.write(end)


def look(path: str) -> float:
    followed, clock = Followed(path, sidechain=False), Clock()
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
