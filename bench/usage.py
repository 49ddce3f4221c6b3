"""Counting tokens: the first look at a transcript next to a plain recount, and a second one that finds nothing new."""

from __future__ import annotations

import json
import os
import time
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from bench import figure, growth, lines, place, race
from bench.budget import Budget
from bench.place import Place
from contract import paths, store
from usage import count, ledger, summary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from bench.dose import Dose
    from bench.figure import Figure
    from usage.ledger import Ledger

    Ways = Mapping[str, Callable[[], float]]

MB = 1_000_000
SIZES = (1, 10, 100, 1000)
FIRST_ROUNDS, ROUNDS = 3, 100
MOST_MS, MOST_TODAY_MS = 5.0, 2.0
SESSION = "9df7420c-3c33-4845-8b68-60c055e751a8"
FIRST, PLAIN, SECOND, NEWS, TODAY = (
    "first look",
    "plain recount",
    "second look",
    "one new answer",
    "today of one session",
)


class Taken(NamedTuple):
    """Milliseconds of each way to look at a transcript of one size, and what the count of it weighs."""

    ways: Mapping[str, Sequence[float]]
    weight: float  # MB


def figures(dose: Dose) -> Iterator[Figure]:
    found = {}
    for size in dose.sizes(SIZES):
        with place.folder() as path:
            found[size] = measure(Place(path), size, dose.rounds(FIRST_ROUNDS), dose.rounds(ROUNDS))
    yield from told(found)


def told(found: Mapping[int, Taken]) -> Iterator[Figure]:
    for size, taken in found.items():
        ways, key = taken.ways, f"usage.{size}"
        yield figure.beside(f"{key}.first", f"{FIRST} at {size} MB", ways[FIRST], PLAIN, ways[PLAIN])
        yield from _later(key, size, ways, is_largest=size == max(found))
        yield figure.Figure(f"{key}.weight", f"what the count of {size} MB weighs", taken.weight, "MB")
    for way in (FIRST, SECOND):
        points = {float(size): race.median(taken.ways[way]) for size, taken in found.items()}
        yield from growth.figures(f"usage.{way}", way, points)


def _later(key: str, size: int, ways: Mapping[str, Sequence[float]], *, is_largest: bool) -> Iterator[Figure]:
    limits = {SECOND: MOST_MS, TODAY: MOST_TODAY_MS} if is_largest else {}
    for way in (SECOND, TODAY, NEWS):
        budgets = (Budget(race.median(ways[way]), limits[way], "ms"),) if way in limits else ()
        yield figure.beside(f"{key}.{way}", f"{way}, {size} MB", ways[way], PLAIN, ways[PLAIN], budgets=budgets)


def measure(where: Place, size: int, first_rounds: int, rounds: int) -> Taken:
    path = f"{where.config}/projects/-home-me-shop/{SESSION}.jsonl"
    os.makedirs(os.path.dirname(path))
    write(path, size * MB)
    try:
        slow: Ways = {FIRST: partial(_first, where), PLAIN: partial(_timed_recount, path)}
        taken = race.interleaved(slow, first_rounds)
        assert look(where) == recount(path) > 0, "the count is not right"
        now = time.time()
        quick: Ways = {
            SECOND: lambda: race.clock(lambda: look(where)),
            TODAY: lambda: race.clock(lambda: summary.today(where.state, SESSION, now, where.environment())),
            NEWS: partial(_news, where, path),
        }
        taken |= race.interleaved(quick, rounds)
        assert look(where) == recount(path), "the count is not right any more"
        return Taken(taken, os.path.getsize(paths.usage(where.state)) / MB)
    finally:
        os.unlink(path)


def look(where: Place) -> int:
    """All tokens of all answers, as a command would find them."""
    return ledger.use(where.state, partial(_look, where))


def _look(where: Place, book: Ledger) -> int:
    assert count.look(book, where.environment()) == 0, "a transcript could not be read"
    return sum(row.tokens.output + row.tokens.input + row.tokens.read for row in book.rows())


def recount(path: str) -> int:
    """What anybody would write."""
    found = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            record = json.loads(line)
            if record["type"] == "assistant":
                found[record["message"]["id"]] = record["message"]["usage"]
    return sum(one["output_tokens"] + one["input_tokens"] + one["cache_read_input_tokens"] for one in found.values())


def write(path: str, size: int) -> None:
    """Answers of which each has another id, as long as it should be."""
    turn = lines.turn(SESSION, 1)
    assert turn.count(b'"msg_1"') == 2, "an answer with a call, and the last word"
    number = 0
    with open(path, "wb") as file:
        while file.tell() + len(turn) < size:
            file.write(turn.replace(b'"msg_1"', b'"msg_%d"' % number))
            number += 1


def _first(where: Place) -> float:
    store.remove(paths.usage(where.state))
    return race.clock(lambda: look(where))


def _timed_recount(path: str) -> float:
    return race.clock(lambda: recount(path))


def _news(where: Place, path: str) -> float:
    answer = lines.turn(SESSION, 0).replace(b'"msg_1"', b'"msg_new_%d"' % os.path.getsize(path))
    with open(path, "ab") as file:
        file.write(answer)
    return race.clock(lambda: look(where))
