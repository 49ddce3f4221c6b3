"""What was spent, in lines for a table or as JSON: by day, project, model or session."""

from __future__ import annotations

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
    groups: dict[str, dict[tuple[str, str], Tokens]] = {}
    for row in rows:
        spent = groups.setdefault(_name(row, by, where), {})
        key = (row.model, row.session)
        spent[key] = spent.get(key, NONE).plus(row.tokens)
    lines = [_line(name, by, spent, where, prices) for name, spent in groups.items()]
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
        "rows": [{**_naming(line, found.by), **_figures(line)} for line in found.lines],
        "total": _figures(found.total),
    }


def _name(row: Row, by: str, where: Places) -> str:
    if by == DAY:
        return days.day(row.quarter)
    if by == MODEL:
        return row.model or UNKNOWN
    return row.session if by == SESSION else where.folder(row.session)


def _line(name: str, by: str, spent: Mapping[tuple[str, str], Tokens], where: Places, prices: Prices) -> Line:
    tokens = NONE
    for part in spent.values():
        tokens = tokens.plus(part)
    session = next(session for _, session in spent)
    cost = prices.costs((model, part) for (model, _), part in spent.items())
    is_placed = by in (PROJECT, SESSION)
    project, folder = (where.project(session), where.folder(session)) if is_placed else ("", "")
    return Line(project if by == PROJECT else name, project, folder, tokens, cost)


def _total(lines: Iterable[Line]) -> Line:
    tokens, cost = NONE, NOTHING
    for line in lines:
        tokens, cost = tokens.plus(line.tokens), cost.plus(line.cost)
    return Line("total", "", "", tokens, cost)


def _dearest_first(line: Line) -> tuple[Any, ...]:
    return -line.cost.amount, -line.tokens.output, line.name, line.folder


def _naming(line: Line, by: str) -> dict[str, Any]:
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
