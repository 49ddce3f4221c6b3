"""What was tried, how often, how often it hit, what was lost: for people and as JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from torture.result import Result

HEAD = ("attack", "what was tried", "tried", "hit", "lost", "")
NUMBERS = ("tried", "hit", "lost")
LONGEST, MOST_TOLD = 1000, 5  # of what one kind of blow lost


def table(results: Sequence[Result]) -> str:
    rows = [HEAD, *(row for result in results for row in _rows(result))]
    widths = [max(len(row[k]) for row in rows) for k in range(len(HEAD))]
    return "\n".join(_line(row, widths) for row in rows)


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = zip(HEAD, row, widths, strict=True)
    return "  ".join(
        text.rjust(width) if head in NUMBERS else text.ljust(width) for head, text, width in cells
    ).rstrip()


def _rows(result: Result) -> Iterator[tuple[str, ...]]:
    name = f"{result.name} ({result.seconds:.0f} s)"
    for one in result.tallies:
        numbers = (f"{one.tried:,}", f"{one.hit:,}", f"{len(one.lost):,}")
        yield name, one.what, *numbers, "" if one.is_good else "FAILED"
        name = ""
    if result.missing:
        yield name, "NOT TRIED, see below", "0", "0", "", "MISSING"


def troubles(results: Iterable[Result]) -> Iterator[str]:
    for result in results:
        if result.missing:
            yield f"{result.name}: NOT TRIED, missing here: {result.missing}"
        for one in result.tallies:
            yield from (f"{result.name}: {words[:LONGEST]}" for words in one.lost[:MOST_TOLD])
            if len(one.lost) > MOST_TOLD:
                yield f"{result.name}: {one.what}: and {len(one.lost) - MOST_TOLD} more"
            if not one.tried:
                yield f"{result.name}: {one.what}: nothing was tried"
        yield from (f"{result.name}: {words}" for words in result.remarks)


def as_json(results: Iterable[Result], *, seed: int, dose: str) -> str:
    found = [
        {
            **result._asdict(),
            "good": result.is_good,
            "seconds": round(result.seconds, 1),
            "tallies": [{**one._asdict(), "good": one.is_good} for one in result.tallies],
        }
        for result in results
    ]
    return json.dumps({"v": 1, "dose": dose, "seed": seed, "attacks": found})
