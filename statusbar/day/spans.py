"""Spans of time in which a session was in one state, and gaps in which nobody watched. Pure."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

UNKNOWN = "unknown"

Gap = tuple[float, float]


class Span(NamedTuple):
    begin: float
    end: float
    status: str
    running: int = 0  # agents at work
    is_cut: bool = False  # its beginning was not seen

    @property
    def seconds(self) -> float:
        return self.end - self.begin

    @property
    def state(self) -> tuple[str, int]:
        return self.status, self.running


def clipped(spans: Iterable[Span], begin: float, end: float) -> tuple[Span, ...]:
    """What of them lies between these times."""
    inside = [span for span in spans if span.end > begin and span.begin < end]
    for at in {0, len(inside) - 1} if inside else ():
        inside[at] = inside[at]._replace(begin=max(inside[at].begin, begin), end=min(inside[at].end, end))
    return tuple(inside)


def with_gaps(spans: Iterable[Span], gaps: Sequence[Gap]) -> tuple[Span, ...]:
    """Unknown where nobody watched; equal neighbours become one. The gaps are in order and do not overlap."""
    ends = [end for _, end in gaps]
    joined: list[Span] = []
    for span in spans:
        for part in _split(span, gaps, bisect_right(ends, span.begin)):
            if joined and joined[-1].end == part.begin and joined[-1].state == part.state:
                joined[-1] = joined[-1]._replace(end=part.end)
            else:
                joined.append(part)
    return tuple(joined)


def merged(gaps: Iterable[Gap]) -> tuple[Gap, ...]:
    """In order, and those that touch as one."""
    found: list[Gap] = []
    for begin, end in sorted(gaps):
        if found and begin <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((begin, end))
    return tuple(found)


def _split(span: Span, gaps: Sequence[Gap], first: int) -> Iterator[Span]:
    at = span.begin
    while first < len(gaps) and gaps[first][0] < span.end:
        begin, end = max(gaps[first][0], at), min(gaps[first][1], span.end)
        if begin > at:
            yield span._replace(begin=at, end=begin)
        yield Span(begin, end, UNKNOWN)
        at, first = end, first + 1
    if at < span.end:
        yield span._replace(begin=at, is_cut=span.is_cut or at > span.begin)
