"""A board as lines of text, as wide as there is room."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from statusbar.look import LOOKS
from statusbar.rows import Kind
from statusbar.text import pad, width

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from statusbar.rows import Row

GAP = "  "
INDENT = "  "


class Piece(NamedTuple):
    """A stretch of text in one style: '', a colour, 'dim' or 'bold'."""

    text: str
    style: str = ""


Line = tuple[Piece, ...]


class Column(NamedTuple):
    title: str
    text: Callable[[Row], str]
    least: int
    most: int
    style: Callable[[Row], str] = lambda _row: ""
    right: bool = False


def _indented(row: Row, rest: str) -> str:
    return INDENT * row.depth + rest


def _colour(row: Row) -> str:
    return "dim" if row.kind is Kind.FOLDED else LOOKS[row.state].colour


def _state(row: Row) -> str:
    return _indented(row, f"{LOOKS[row.state].symbol} {LOOKS[row.state].word}")


def _symbol(row: Row) -> str:
    return _indented(row, LOOKS[row.state].symbol)


def _weight(row: Row) -> str:
    return "dim" if row.kind is Kind.FOLDED else "bold" if row.depth == 0 else ""


STATE = Column("STATE", _state, 16, 24, _colour)
SYMBOL = Column("", _symbol, 1, 7, _colour)
PROJECT = Column("PROJECT", lambda row: row.project, 8, 24)
NAME = Column("NAME", lambda row: row.name, 8, 24, _weight)
DETAIL = Column("DETAIL", lambda row: row.detail, 12, 1000)
AGE = Column("AGE", lambda row: row.age, 3, 5, lambda _row: "dim", right=True)

# The first one for which there is room.
LAYOUTS = (
    (STATE, PROJECT, NAME, DETAIL, AGE),
    (SYMBOL, PROJECT, NAME, DETAIL, AGE),
    (SYMBOL, NAME, DETAIL, AGE),
    (SYMBOL, NAME, AGE),
    (SYMBOL, NAME),
)
GROWTH = (STATE, SYMBOL, AGE, NAME, PROJECT, DETAIL)


class Layout(NamedTuple):
    columns: tuple[Column, ...]
    widths: tuple[int, ...]

    def heading(self) -> Line:
        titles = [pad(c.title, room, right=c.right) for c, room in zip(self.columns, self.widths, strict=True)]
        return (Piece(GAP.join(titles), "dim"),)

    def line(self, row: Row) -> Line:
        pieces = []
        for column, room in zip(self.columns, self.widths, strict=True):
            pieces += [Piece(GAP), Piece(pad(column.text(row), room, right=column.right), column.style(row))]
        return tuple(pieces[1:])


def layout(rows: Sequence[Row], room: int) -> Layout:
    """Each column gets its least, then what its texts need as long as there is room, the details last."""
    columns = next((c for c in LAYOUTS if _total([one.least for one in c]) <= room), LAYOUTS[-1])
    widths = {column: column.least for column in columns}
    for column in GROWTH:
        if column in widths:
            needed = max([width(column.title), *(width(column.text(row)) for row in rows)])
            spare = max(room - _total(list(widths.values())), 0)
            widths[column] += min(max(min(needed, column.most) - column.least, 0), spare)
    return Layout(columns, tuple(widths.values()))


def table(rows: Sequence[Row], room: int) -> list[Line]:
    chosen = layout(rows, room)
    return [chosen.heading(), *(chosen.line(row) for row in rows)]


def _total(widths: list[int]) -> int:
    return sum(widths) + len(GAP) * (len(widths) - 1)
