"""What was spent, in lines for a table or as JSON: by day, project, model or session."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from contract.projects import projects
from usage import days
from usage.prices import NOTHING
from usage.tokens import NONE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from usage.ledger import Row
    from usage.prices import Cost, Prices
    from usage.tokens import Tokens

DAY, PROJECT, MODEL, SESSION = BY = ("day", "project", "model", "session")
UNKNOWN = "?"
VERSION = 1


class Names(NamedTuple):
    """What a line is of, and for a project or session also where."""

    name: str
    project: str = ""
    folder: str = ""


class Line(NamedTuple):
    name: str  # of the day, project, model or session
    project: str
    folder: str
    tokens: Tokens
    cost: Cost


class Report(NamedTuple):
    by: str
    lines: Sequence[Line]
    total: Line
    prices: Prices


class Places(NamedTuple):
    """The sessions' folders, and the short names of these."""

    folders: Mapping[str, str]
    names: Mapping[str, str]

    def folder(self, session: str) -> str:
        return self.folders.get(session, "")

    def project(self, session: str) -> str:
        return self.names.get(self.folder(session), "") or UNKNOWN

    def is_in(self, session: str, wanted: str) -> bool:
        """By its short name, or by its folder."""
        return wanted in (self.project(session), self.folder(session))


def places(folders: Mapping[str, str]) -> Places:
    return Places(folders, projects(set(folders.values())))


def report(rows: Iterable[Row], by: str, where: Places, prices: Prices) -> Report:
    """Days in their order, the rest by what it cost, the dearest first."""
    day = cache(days.day)  # many rows share a quarter of an hour
    groups: dict[Names, dict[str, Tokens]] = {}
    for row in rows:
        names = Names(day(row.quarter)) if by == DAY else _names(row, by, where)
        spent = groups.setdefault(names, {})
        spent[row.model] = spent.get(row.model, NONE).plus(row.tokens)
    lines = [_line(names, spent, prices) for names, spent in groups.items()]
    lines.sort(key=(lambda line: line.name) if by == DAY else _dearest_first)
    return Report(by, lines, _total(lines), prices)


def as_json(found: Report, since: str | None) -> dict[str, Any]:
    prices = {"date": found.prices.date.isoformat(), "file": found.prices.path}
    return {
        "v": VERSION,
        "by": found.by,
        "since": since,
        "currency": found.prices.currency,
        "prices": prices,
        "rows": [{**_told(line, found.by), **_figures(line)} for line in found.lines],
        "total": _figures(found.total),
    }


def _names(row: Row, by: str, where: Places) -> Names:
    if by == MODEL:
        return Names(row.model or UNKNOWN)
    project = where.project(row.session)
    return Names(project if by == PROJECT else row.session, project, where.folder(row.session))


def _line(names: Names, spent: Mapping[str, Tokens], prices: Prices) -> Line:
    tokens = NONE
    for part in spent.values():
        tokens = tokens.plus(part)
    return Line(*names, tokens, prices.costs(spent.items()))


def _total(lines: Iterable[Line]) -> Line:
    tokens, cost = NONE, NOTHING
    for line in lines:
        tokens, cost = tokens.plus(line.tokens), cost.plus(line.cost)
    return Line("total", "", "", tokens, cost)


def _dearest_first(line: Line) -> tuple[Any, ...]:
    return -line.cost.amount, -line.tokens.output, line.name, line.folder


def _told(line: Line, by: str) -> dict[str, Any]:
    placed = {"project": line.project, "folder": line.folder or None} if by in (PROJECT, SESSION) else {}
    return {by: None if line.name == UNKNOWN else line.name, **placed}


def _figures(line: Line) -> dict[str, Any]:
    tokens, cost = line.tokens, line.cost
    return {
        "messages": tokens.messages,
        "input_tokens": tokens.input,
        "output_tokens": tokens.output,
        "cache_write_5m_tokens": tokens.written - tokens.written_1h,
        "cache_write_1h_tokens": tokens.written_1h,
        "cache_read_tokens": tokens.read,
        "web_searches": tokens.searches,
        "cost": float(round(cost.amount, 6)) if cost.is_known else None,
        "cost_is_complete": not cost.unknown,
        "models_without_price": sorted(cost.unknown),
    }
