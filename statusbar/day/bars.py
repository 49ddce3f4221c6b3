"""A picture as lines of text: one bar for each session, as wide as there is room. Pure."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from contract.status import NEEDS_APPROVAL
from statusbar.cli.pieces import Line, Piece
from statusbar.day import sentences
from statusbar.day.cells import NOTHING, PART, cells, runs
from statusbar.day.dates import hours
from statusbar.day.spans import UNKNOWN
from statusbar.text.ages import lasting
from statusbar.text.symbols import BAR_PART, BAR_UNKNOWN, BARS, LOOKS, TROUBLE
from statusbar.text.width import cut, pad, width, wrap

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from statusbar.day.picture import Picture, Row
    from statusbar.day.spans import Span

WIDEST = 120  # columns, unless somebody asks for more: a longer bar says no more
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
    lines: list[Line] = [(Piece(cut(sentences.title(picture), columns), "bold"),), ()]
    if picture.rows or picture.unseen:
        lines += _chart(picture, columns)
        lines += [(), *_legend(columns)]
    told = [sentences.summary(picture), *sentences.left_out(picture), *sentences.notes(picture)]
    return [*lines, *((Piece(line),) for text in told for line in wrap(text, columns))]


class Widths(NamedTuple):
    """How many cells each column has; a column without any is left out."""

    project: int
    name: int
    bar: int
    blocked: int

    def label(self, project: str, name: str) -> str:
        own = name if name != project or not self.project else ""
        texts = ((project, self.project), (own, self.name))
        return GAP.join(pad(text, room) for text, room in texts if room)

    @property
    def labels(self) -> int:
        return self.project + self.name + bool(self.project and self.name)


def widths(picture: Picture, columns: int) -> Widths:
    """Where there is little room, first what a session was blocked in all is left out, then the projects."""
    rows = picture.rows
    project = min(max([width(row.project) for row in rows], default=len(NOT_WATCHED)), PROJECT)
    name = min(max([width(row.name) for row in rows if row.name != row.project], default=0), NAME)
    blocked = max([len(_blocked(row)) for row in rows], default=0)
    for room in ((project, name, blocked), (project, name, 0), (0, name, 0) if name else (project, 0, 0)):
        left = columns - sum(room) - sum(map(bool, room))
        if left >= LEAST:
            return Widths(room[0], room[1], left, room[2])
    return Widths(0, 0, columns, 0)


def _chart(picture: Picture, columns: int) -> Iterator[Line]:
    room = widths(picture, columns)
    margin = GAP if room.labels else ""
    yield (Piece(" " * room.labels + margin + _axis(picture, room.bar), "dim"),)
    before = None
    for row in picture.rows:
        label = room.label(row.project if row.project != before else "", row.name)
        before = row.project
        yield (Piece(label + margin), *_bar(picture, row.spans, room.bar), *(_total(row) if room.blocked else ()))
    if picture.unseen:
        yield (Piece(pad(NOT_WATCHED, room.labels) + margin, "dim"), *_bar(picture, picture.unseen, room.bar))


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
