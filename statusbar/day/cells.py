"""Spans as a row of cells of equal length, each with what was the case for most of its time. Pure."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from contract.status import NEEDS_APPROVAL, STATES
from statusbar.day.spans import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from statusbar.day.spans import Span

PART = "part"  # it was blocked, but for less than half of the time
NOTHING = ""
ORDER = (NEEDS_APPROVAL, UNKNOWN, *STATES[1:])  # of several that took as long, the first


def cells(spans: Iterable[Span], begin: float, end: float, number: int) -> list[str]:
    """A block is shown however short it was: it is what a person looks for."""
    shares: list[dict[str, float]] = [{} for _ in range(number)]
    length = (end - begin) / number
    for span in spans:
        first, last = max(span.begin, begin), min(span.end, end)
        at = min(int((first - begin) / length), number - 1)
        while first < last and at < number:
            until = min(last, begin + (at + 1) * length)
            shares[at][span.status] = shares[at].get(span.status, 0.0) + max(until - first, 0.0)
            first, at = max(first, until), at + 1
    return [_shown(share) for share in shares]


def runs(row: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """Equal neighbours as one: what, the first cell, and the one after the last."""
    at = 0
    for shown, group in groupby(row):
        length = len(list(group))
        yield shown, at, at + length
        at += length


def _shown(share: dict[str, float]) -> str:
    if not share:
        return NOTHING
    if NEEDS_APPROVAL in share:
        return NEEDS_APPROVAL if 2 * share[NEEDS_APPROVAL] >= sum(share.values()) else PART
    return min(share, key=lambda status: (-share[status], ORDER.index(status)))
