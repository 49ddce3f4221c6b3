"""From statuses to what is drawn: pure, and the same for every surface."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from contract.status import STATES, WAITING
from statusbar.model import agents, rows
from statusbar.model import projects as place
from statusbar.text import ages
from statusbar.text.symbols import CALM, LOOKS, TROUBLE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from contract.pulse import Watcher
    from contract.status import SessionStatus
    from statusbar.model.rows import Row
    from statusbar.model.snapshot import Statuses

ABANDONED_S = 12 * ages.HOUR


class Order(Enum):
    URGENCY = "urgency"
    PROJECT = "project"
    NAME = "name"
    AGE = "age"  # the newest change first


class Board(NamedTuple):
    title: str
    counts: dict[str, int]  # of sessions by state; a team is one
    rows: tuple[Row, ...]
    watcher: Watcher
    is_well: bool  # whether the rows can be trusted to be up to date
    unknown: str  # if not: that nobody knows, and since when
    notices: tuple[str, ...]  # sentences about what is not as it should be
    hidden: int  # sessions of helpers that were left out
    changes_at: float  # when a word for an age will no longer be true

    def row(self, id_: tuple[str, str]) -> Row | None:
        return next((one for one in self.rows if one.id == id_), None)


def board(
    statuses: Statuses,
    now: float,
    *,
    show_hidden: bool = False,
    unfold: bool = False,
    order: Order = Order.URGENCY,
) -> Board:
    everybody = agents.heads(statuses.sessions)
    heads = [one for one in everybody if show_hidden or not one.hidden]
    counts, is_well = count(heads), statuses.is_well(now)
    drawn = _rows(_sorted(heads, order), statuses, now, unfold=unfold)
    drawn = drawn if is_well else tuple(row._replace(is_old=True) for row in drawn)
    return Board(
        title=title(counts, is_well=is_well),
        counts=counts,
        rows=drawn,
        watcher=statuses.watcher(now),
        is_well=is_well,
        unknown=statuses.unknown(now),
        notices=statuses.notices(now),
        hidden=len(everybody) - len(heads),
        changes_at=now + min((_stays(row, now) for row in drawn), default=ages.LONGEST),
    )


def filtered(whole: Board, words: str) -> Board:
    """The families in which every word is found somewhere."""
    wanted = words.casefold().split()
    groups: list[list[Row]] = []
    for row in whole.rows:
        groups.append([row]) if row.depth == 0 or not groups else groups[-1].append(row)
    kept = [row for group in groups if _has(group, wanted) for row in group]
    return whole._replace(rows=tuple(kept))


def count(heads: Iterable[SessionStatus]) -> dict[str, int]:
    counts = dict.fromkeys(STATES, 0)
    for one in heads:
        counts[one.status] += 1
    return counts


def title(counts: Mapping[str, int], *, is_well: bool) -> str:
    """The most urgent first; a dot if there is nothing; a cross before numbers that nobody keeps up to date."""
    parts = [f"{LOOKS[state].symbol}{counts[state]}" for state in STATES if counts[state]]
    return " ".join(parts if is_well else [TROUBLE.symbol, *parts]) or CALM.symbol


def _rows(heads: list[SessionStatus], statuses: Statuses, now: float, *, unfold: bool) -> tuple[Row, ...]:
    projects, names = place.projects({one.cwd for one in heads}), rows.names(heads)
    drawn: list[Row] = []
    folded: list[SessionStatus] = []
    for one in heads:
        if _is_abandoned(one, now) and not unfold:
            folded.append(one)
        else:
            drawn += rows.session_rows(one, (projects[one.cwd], names[one.session_id]), statuses, now)
    return (*drawn, rows.folded_row(folded, projects)) if folded else tuple(drawn)


def _sorted(heads: list[SessionStatus], order: Order) -> list[SessionStatus]:
    """They come sorted by urgency, and equals stay so."""
    if order is Order.AGE:
        return sorted(heads, key=lambda one: -ages.moment(one.since))
    if order is Order.NAME:
        return sorted(heads, key=lambda one: rows.session_name(one).casefold())
    return sorted(heads, key=lambda one: place.project(one.cwd).casefold()) if order is Order.PROJECT else heads


def _stays(row: Row, now: float) -> float:
    return ages.until_older(ages.elapsed(now, row.since)) if row.age else ages.LONGEST


def _is_abandoned(one: SessionStatus, now: float) -> bool:
    """Its turn is long over, and no person has spoken to it since."""
    return one.status == WAITING and now - max(ages.moment(one.since), ages.moment(one.human)) > ABANDONED_S


def _has(group: list[Row], wanted: list[str]) -> bool:
    said = " ".join(
        f"{row.name} {row.project} {row.team} {row.detail} {LOOKS[row.state].word} {row.session_id}" for row in group
    )
    return all(word in said.casefold() for word in wanted)
