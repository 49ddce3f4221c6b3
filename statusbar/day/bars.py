"""A picture as lines of text: one bar for each session, as wide as there is room. Pure."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from contract.status import NEEDS_APPROVAL
from statusbar.cli.table import Line, Piece
from statusbar.day import words
from statusbar.day.cells import NOTHING, PART, cells, runs
from statusbar.day.dates import hours
from statusbar.day.spans import UNKNOWN, Span
from statusbar.text.ages import lasting
from statusbar.text.symbols import BAR_PART, BAR_UNKNOWN, BARS, LOOKS, TROUBLE
from statusbar.text.width import pad, width, wrap

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from statusbar.day.picture import Picture, Row

WIDEST = 120  # more cells say no more
LEAST = 24  # cells of a bar
PROJECT, NAME = 12, 14
GAP = " "
NOT_WATCHED = "not watched"
INK = {
    **{status: (bar[0], LOOKS[status].colour) for status, bar in BARS.items()},
    PART: (BAR_PART[0], LOOKS[NEEDS_APPROVAL].colour),
    UNKNOWN: (BAR_UNKNOWN[0], TROUBLE.colour),
    NOTHING: (" ", ""),
}
LEGEND = {
    NEEDS_APPROVAL: "needs approval", PART: "for a part of the time", "working": "working", "waiting": "waiting",
    UNKNOWN: "unknown",
}  # fmt: skip


def page(picture: Picture, columns: int) -> list[Line]:
    lines: list[Line] = [(Piece(words.title(picture), "bold"),), ()]
    if picture.rows or picture.unwatched:
        lines += _chart(picture, min(columns, WIDEST))
        lines += [(), *_legend(columns)]
    told = [words.summary(picture), *words.notes(picture)]
    return [*lines, *((Piece(line),) for text in told for line in wrap(text, min(columns, WIDEST)))]


def _chart(picture: Picture, columns: int) -> Iterator[Line]:
    project = min(max([width(row.project) for row in picture.rows] or [0]), PROJECT)
    has_names = any(row.name != row.project for row in picture.rows)
    name = min(max([width(row.name) for row in picture.rows] or [0]), NAME) if has_names else 0
    label = max(project + (name + 1) * has_names, len(NOT_WATCHED))
    blocked = max([len(_blocked(row)) for row in picture.rows] or [0])
    room = max(columns - label - blocked - 2 * len(GAP), LEAST)
    yield (Piece(" " * label + GAP + _axis(picture, room), "dim"),)
    before = None
    for row in picture.rows:
        place = row.project if row.project != before else ""
        before = row.project
        own = row.name if row.name != row.project else ""
        text = pad(place, project) + (f" {pad(own, name)}" if has_names else "")
        yield (Piece(pad(text, label) + GAP), *_bar(picture, row.spans, room), *_total(row))
    if picture.unwatched:
        gaps = [Span(begin, end, UNKNOWN) for begin, end in picture.unwatched]
        yield (Piece(pad(NOT_WATCHED, label) + GAP, "dim"), *_bar(picture, gaps, room))


def _axis(picture: Picture, room: int) -> str:
    """The hours, as many of them as have room, each at the cell in which it begins."""
    begin, end = picture.view
    marks = [at for at in hours(begin, end) if at < end]
    places = [int((at - begin) / (end - begin) * room + 0.5) for at in marks]
    step = next((step for step in (1, 2, 3, 4, 6, 12) if room / max(len(marks) / step, 1) >= 3), 24)  # noqa: PLR2004
    text = ""
    for at, place in zip(marks, places, strict=True):
        hour = time.localtime(at).tm_hour
        if hour % step == 0 and place >= len(text) + bool(text):
            text = text.ljust(place) + f"{hour:02}"
    return text[:room]


def _bar(picture: Picture, spans: Sequence[Span], room: int) -> Iterator[Piece]:
    for shown, first, after in runs(cells(spans, *picture.view, room)):
        text, style = INK[shown]
        yield Piece(text * (after - first), style)


def _blocked(row: Row) -> str:
    seconds = row.seconds(NEEDS_APPROVAL)
    return f"{LOOKS[NEEDS_APPROVAL].symbol} {lasting(seconds)}" if seconds else ""


def _total(row: Row) -> Iterator[Piece]:
    if text := _blocked(row):
        yield Piece(GAP + text[0], LOOKS[NEEDS_APPROVAL].colour)
        yield Piece(text[1:])


def _legend(columns: int) -> Iterator[Line]:
    """In two lines if one has no room."""
    line: list[Piece] = []
    for shown, word in LEGEND.items():
        text, style = INK[shown]
        new = [Piece(text, style), Piece(f" {word}")]
        if line and sum(len(piece.text) for piece in [*line, *new]) + 2 > columns:
            yield tuple(line)
            line = []
        line += [Piece("  "), *new] if line else new
    yield tuple(line)
