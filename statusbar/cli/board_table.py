"""A board as lines of text, as wide as there is room."""

from __future__ import annotations

from contract.named_tuple import NamedTuple
from statusbar.cli.pieces import GAP, Line, Piece
from statusbar.model.rows import Kind
from statusbar.text.symbols import TROUBLE
from statusbar.text.width import pad, width, wrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from statusbar.model.rows import Row

INDENT = "  "


class Column(NamedTuple):
    title: str
    text: Callable[[Row], str]
    least: int
    most: int
    style: Callable[[Row], str] = lambda _row: ""
    right: bool = False
    firm: bool = False  # makes no sense when cut
    has_sign: bool = False  # the style is that of the sign with which the text begins

    def need(self, rows: Sequence[Row]) -> int:
        widest = max([width(self.title), *(width(self.text(row)) for row in rows)])
        return max(min(widest, self.most), self.least)


def _indented(row: Row, rest: str) -> str:
    return INDENT * row.depth + rest


def _colour(row: Row) -> str:
    return "" if row.kind is Kind.FOLDED else row.look.colour


def _state(row: Row) -> str:
    return _indented(row, f"{row.look.symbol} {row.look.word}")


def _symbol(row: Row) -> str:
    return _indented(row, row.look.symbol)


def _weight(row: Row) -> str:
    return "" if row.kind is Kind.FOLDED or row.depth else "bold"


STATE = Column("STATE", _state, 16, 34, _colour, firm=True, has_sign=True)
SYMBOL = Column("", _symbol, 1, 19, _colour, firm=True, has_sign=True)
PROJECT = Column("PROJECT", lambda row: row.project, 8, 24, _weight)
NAME = Column("NAME", lambda row: row.name, 8, 24, _weight)
BESIDE = NAME._replace(text=lambda row: row.name_in_project)  # where the project stands beside it
CLIENT = Column("CLIENT", lambda row: row.client, 6, 12)
SIGN = Column("", lambda row: row.client[:3], 3, 3)  # of the client, where there is no room for its name
DETAIL = Column("DETAIL", lambda row: row.words, 12, 1000)
AGE = Column("AGE", lambda row: row.age, 3, 5, right=True, firm=True)

# The first layout that fits is used.
LAYOUTS = (
    (STATE, PROJECT, BESIDE, CLIENT, DETAIL, AGE),
    (SYMBOL, PROJECT, BESIDE, CLIENT, DETAIL, AGE),
    (SYMBOL, NAME, DETAIL, AGE),
    (SYMBOL, NAME, AGE),
    (SYMBOL, NAME),
)
WIDE = 100  # cells, from which on there is room for names of clients
GROWTH = (STATE, SYMBOL, AGE, CLIENT, SIGN, NAME, BESIDE, PROJECT, DETAIL)


class Layout(NamedTuple):
    columns: tuple[Column, ...]
    widths: tuple[int, ...]

    def heading(self) -> Line:
        titles = [pad(c.title, room, right=c.right) for c, room in zip(self.columns, self.widths, strict=True)]
        return (Piece(GAP.join(titles), "heading"),)

    def line(self, row: Row) -> Line:
        pieces = []
        for column, room in zip(self.columns, self.widths, strict=True):
            text, style = pad(column.text(row), room, right=column.right), column.style(row)
            end = len(_symbol(row)) if column.has_sign else len(text)
            pieces += [Piece(GAP), Piece(text[:end], style), *([Piece(text[end:])] if text[end:] else [])]
        return tuple(pieces[1:])


def layout(rows: Sequence[Row], room: int) -> Layout:
    """Each column gets its minimum width, then what its texts need while there is room, the details last."""
    is_mixed = any(row.client for row in rows)
    needs = {column: column.need(rows) for column in GROWTH}
    leasts = {column: need if column.firm else column.least for column, need in needs.items()}
    named = (CLIENT if room >= WIDE else SIGN,) if is_mixed else ()
    layouts = [tuple(one for c in some for one in (named if c is CLIENT else (c,))) for some in LAYOUTS]
    columns = next((some for some in layouts if _total([leasts[c] for c in some]) <= room), layouts[-1])
    widths = {column: leasts[column] for column in columns}
    for column in (c for c in GROWTH if c in widths):
        spare = max(room - _total(list(widths.values())), 0)
        widths[column] += min(needs[column] - widths[column], spare)
    if NAME in widths:
        widths[NAME] -= min(max(_total(list(widths.values())) - room, 0), widths[NAME])
    return Layout(columns, tuple(widths.values()))


def table(rows: Sequence[Row], room: int) -> list[Line]:
    chosen = layout(rows, room)
    return [chosen.heading(), *(chosen.line(row) for row in rows)]


def notice(words: str, room: int) -> list[Line]:
    """A sentence about a problem, after a cross."""
    first, *more = wrap(f"{TROUBLE.symbol} {words}", room) or [""]
    cross, rest = first[: len(TROUBLE.symbol)], first[len(TROUBLE.symbol) :]
    return [(Piece(cross, TROUBLE.colour), Piece(rest)), *((Piece(line),) for line in more)]


def _total(widths: list[int]) -> int:
    return sum(widths) + len(GAP) * (len(widths) - 1)
