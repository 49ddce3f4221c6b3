"""A day as a picture, as a value: what is drawn in the terminal, as SVG and told as JSON. Pure."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from contract.status import WAITING
from statusbar.day.blocks import blocks
from statusbar.day.dates import Day, hours
from statusbar.day.spans import UNKNOWN, Gap, Span, clipped, merged
from statusbar.text.ages import HOUR

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from statusbar.day.blocks import Block
    from statusbar.day.history import History
    from statusbar.day.names import Named


class Row(NamedTuple):
    """One session on this day."""

    session: str
    project: str
    name: str
    hidden: bool
    spans: tuple[Span, ...]
    busy: tuple[Span, ...]  # those of them in which it did not wait for its next prompt, as far as is known
    blocks: tuple[Block, ...]  # as far as they are on this day

    def seconds(self, status: str) -> float:
        return sum(span.seconds for span in self.spans if span.status == status)


class Waited(NamedTuple):
    """How long people were waited for."""

    seconds: float = 0.0  # added up over all blocks
    blocks: int = 0
    longest: float = 0.0
    project: str = ""  # of the longest one
    at: float = 0.0
    at_least_one: float = 0.0  # without counting the same moment twice


class Picture(NamedTuple):
    day: Day
    view: Day  # the hours that are drawn
    now: float
    rows: tuple[Row, ...]  # those of a project together
    idle: int  # sessions that only waited, and are left out
    unwatched: tuple[Gap, ...]  # when nobody watched, on this day
    since: float  # when the log begins
    noted_since: float  # before that, an older version did not note when nobody watched; 0 if it never was
    waited: Waited

    @property
    def unseen(self) -> tuple[Span, ...]:
        """When nobody watched, in the hours that are drawn."""
        return clipped([Span(begin, end, UNKNOWN) for begin, end in self.unwatched], *self.view)


def picture(
    history: History, day: Day, named: Sequence[Named], *, everything: bool = False, project: str | None = None
) -> Picture:
    """`named`: the sessions of the history, in its order."""
    until = max(min(day.end, history.until), day.begin)
    rows = [
        _row(one, course.spans, Day(day.begin, until), history.until)
        for course, one in zip(history.courses, named, strict=True)
        if (everything or not one.hidden) and project in (None, one.project)
    ]
    there = [row for row in rows if row.spans]
    shown = [row for row in there if everything or row.busy]
    return Picture(
        day,
        _view([span for row in shown for span in row.busy], day, history.until),
        history.until,
        tuple(
            sorted(shown, key=lambda row: (not row.project, row.project.casefold(), row.spans[0].begin, row.session))
        ),
        len(there) - len(shown),
        unwatched(history, day),
        history.since,
        history.watched_since,
        waited(row for row in shown if not row.hidden),
    )


def unwatched(history: History, day: Day) -> tuple[Gap, ...]:
    """Also before the log begins: of that time nothing is known either."""
    begin = history.since or history.until
    gaps = merged([*history.gaps, (-math.inf, begin)])
    until = min(day.end, history.until)
    return tuple((max(a, day.begin), min(b, until)) for a, b in gaps if b > day.begin and a < until)


def waited(rows: Iterable[Row]) -> Waited:
    """A team counts once, as its lead shows the requests of all: teammates' own sessions are hidden."""
    found = [(block, row) for row in rows for block in row.blocks]
    if not found:
        return Waited()
    longest, row = max(found, key=lambda each: (each[0].seconds, -each[0].begin))
    return Waited(
        sum(block.seconds for block, _ in found),
        len(found),
        longest.seconds,
        row.project or row.name,
        longest.begin,
        sum(end - begin for begin, end in merged((block.begin, block.end) for block, _ in found)),
    )


def _row(one: Named, spans: Sequence[Span], day: Day, until: float) -> Row:
    found = (block for block in blocks(spans, until) if block.end > day.begin and block.begin < day.end)
    on_day = tuple(block._replace(begin=max(block.begin, day.begin), end=min(block.end, day.end)) for block in found)
    return Row(*one, clipped(spans, *day), clipped(_busy(spans), *day), on_day)


def _busy(spans: Sequence[Span]) -> Iterator[Span]:
    """A session that waited before nobody watched will have waited on: a night is not worth half of the picture."""
    before = ""
    for span in spans:
        if span.status != WAITING and not (span.status == UNKNOWN and before == WAITING):
            yield span
        before = span.status


def _view(busy: Sequence[Span], day: Day, now: float) -> Day:
    """From the first to the last full hour around what happened; today up to now."""
    if not busy:
        return day
    begin, end = min(span.begin for span in busy), max(span.end for span in busy)
    end = now if day.begin <= now < day.end else end
    marks = [day.begin, *hours(day.begin, day.end), day.end]
    first = max(mark for mark in marks if mark <= begin)
    last = min(mark for mark in marks if mark >= end)
    return Day(first, max(last, min(first + HOUR, day.end)))
