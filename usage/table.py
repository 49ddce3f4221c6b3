"""A report as a table of 80 columns, and the sentences below it."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, NamedTuple

from contract.clean import clean
from usage.report import PROJECT, SESSION, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from decimal import Decimal

    from usage.prices import Cost
    from usage.report import Line, Report
    from usage.tokens import Tokens

WIDTH, GAP = 80, "  "
LEAST = 10  # columns for a name: as wide as a date
ID = 8  # characters of a session's id, as `yourturn ps` shows them
TITLES = ("INPUT", "OUTPUT", "CACHE WRITE", "CACHE READ")
UNITS = {1: "", 1_000: "in thousands of tokens", 1_000_000: "in millions of tokens"}
SIGNS = {"USD": "$", "EUR": "€", "GBP": "£"}
NAMED_AT_MOST = 3


def table(report: Report) -> list[str]:
    """In the smallest unit that fits."""
    layouts = [_layout(report, unit) for unit in UNITS]
    chosen = next((one for one in layouts if one.room >= LEAST), layouts[-1])
    names = [report.by.upper(), *(_name(line, report.by) for line in report.lines), "TOTAL"]
    room = max(LEAST, min(chosen.room, max(map(_width, names))))
    lines = [_padded(name, room) + _right(row, chosen.rooms) for name, row in zip(names, chosen.cells, strict=True)]
    return [*lines, *([f"({UNITS[chosen.unit]})"] if UNITS[chosen.unit] else [])]


class _Layout(NamedTuple):
    unit: int
    cells: Sequence[Sequence[str]]
    rooms: Sequence[int]  # of the figures
    room: int  # that is left for names


def _layout(report: Report, unit: int) -> _Layout:
    titles = (*TITLES, f"COST {report.prices.currency}")
    cells = [titles, *(_cells(line, unit) for line in (*report.lines, report.total))]
    rooms = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return _Layout(unit, cells, rooms, WIDTH - sum(rooms) - len(GAP) * len(rooms))


def remarks(report: Report) -> Iterator[str]:
    prices, cost = report.prices, report.total.cost
    yield f"Cost: what it would be at API prices of {prices.date} (yourturn usage --prices)."
    yield "With a subscription you pay for that instead."
    if cost.unknown:
        told = sorted(clean(name, 40) or UNKNOWN for name in cost.unknown)
        more = f" and {len(told) - NAMED_AT_MOST} more" if len(told) > NAMED_AT_MOST else ""
        known = f"At least {money(cost.amount, prices.currency)}" if cost.is_known else "Unknown"
        yield f"{known}: no price for {', '.join(told[:NAMED_AT_MOST])}{more}."


def money(amount: Decimal, currency: str) -> str:
    return f"{SIGNS.get(currency, currency + ' ')}{amount:,.2f}"


def _cells(line: Line, unit: int) -> tuple[str, ...]:
    return (*(f"{round(number / unit):,}" for number in _shown(line.tokens)), _cost(line.cost))


def _shown(tokens: Tokens) -> tuple[int, ...]:
    return tokens.input, tokens.output, tokens.written, tokens.read


def _cost(cost: Cost) -> str:
    """A plus sign for at least so much."""
    return f"{cost.amount:,.2f}{'+' * bool(cost.unknown)}" if cost.is_known else UNKNOWN


def _name(line: Line, by: str) -> str:
    if by == SESSION:
        return f"{clean(line.name[:ID], ID)} {line.project}"
    return clean(line.project if by == PROJECT else line.name, WIDTH) or UNKNOWN


def _right(cells: Sequence[str], rooms: Sequence[int]) -> str:
    return "".join(GAP + cell.rjust(room) for cell, room in zip(cells, rooms, strict=True))


def _padded(text: str, room: int) -> str:
    while _width(text) > room:
        text = text[:-2] + "…"
    return text + " " * (room - _width(text))


def _width(text: str) -> int:
    """How many columns a terminal needs for it."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
