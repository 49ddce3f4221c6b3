"""From statuses to what is drawn: pure, and the same for every front end."""

from __future__ import annotations

from enum import Enum

from contract.named_tuple import NamedTuple
from contract.status import NEEDS_APPROVAL, STATES, WAITING
from statusbar.model import agents, rows
from statusbar.model import projects as place
from statusbar.model.names import NONE, distinct_names
from statusbar.model.rows import Action
from statusbar.text import ages
from statusbar.text.symbols import CALM, LOOKS, TROUBLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from contract.status import SessionStatus
    from conversations.glimpse import Glimpse
    from statusbar.model.rows import Row
    from statusbar.model.snapshot import Statuses

STALE_S = 12 * ages.HOUR


class Order(Enum):
    URGENCY = "urgency"
    PROJECT = "project"
    NAME = "name"
    AGE = "age"  # the newest change first


class Board(NamedTuple):
    title: str
    counts: dict[str, int]  # sessions in each state; a team counts as one
    rows: tuple[Row, ...]
    is_well: bool  # whether the rows are up to date
    unknown: str  # if not: "state unknown", and since when
    notices: tuple[str, ...]  # sentences about problems
    hidden: int  # background sessions that are left out
    changes_at: float  # when the text of an age will change next
    is_mixed: bool = False  # whether there are several kinds of client


def board(  # noqa: PLR0913 - what is known, then what the person has chosen
    statuses: Statuses,
    now: float,
    glimpses: Mapping[str, Glimpse] = NONE,
    *,
    fine: bool = False,
    show_hidden: bool = False,
    unfold: bool = False,
    order: Order = Order.URGENCY,
) -> Board:
    """`glimpses`: what transcripts tell, by session id. `fine`: ages below a minute in seconds."""
    everybody = agents.heads(statuses.sessions)
    heads = [session for session in everybody if show_hidden or not session.hidden]
    counts, out_of_reach = count_known(statuses, heads, now)
    is_well, is_mixed = statuses.is_well(now), agents.are_mixed(heads)
    scene = rows.Scene(statuses, glimpses, now, fine=fine, mixed=is_mixed)
    drawn = _rows(_sorted(heads, order, glimpses), scene, unfold=unfold)
    return Board(
        title=title(counts, is_well=is_well, out_of_reach=out_of_reach),
        counts=counts,
        rows=drawn,
        is_well=is_well,
        unknown=statuses.unknown(now),
        notices=statuses.notices(now),
        hidden=len(everybody) - len(heads),
        changes_at=now + min((_stays(row, now, fine=fine) for row in drawn), default=ages.LONGEST),
        is_mixed=is_mixed,
    )


def first_to_go_to(whole: Board) -> Row | None:
    """The session that has been blocked longest, of those that have a terminal and whose state is known."""
    blocked = [row for row in whole.rows if row.depth == 0 and row.state == NEEDS_APPROVAL and not row.is_old]
    return next((row for row in blocked if Action.GO in row.actions), None)


def filtered(whole: Board, words: str) -> Board:
    """The sessions in which every word occurs, in the session's row or in a row of its agents."""
    wanted = words.casefold().split()
    groups: list[list[Row]] = []
    for row in whole.rows:
        groups.append([row]) if row.depth == 0 or not groups else groups[-1].append(row)
    return whole._replace(rows=tuple(row for group in groups if _has(group, wanted) for row in group))


def count_known(statuses: Statuses, heads: Sequence[SessionStatus], now: float) -> tuple[dict[str, int], int]:
    """The sessions in each state, and how many more are on machines out of reach: nobody knows how those are."""
    speaking = statuses.speaking(now) | {""}
    known = [session.status for session in heads if session.host in speaking]
    return {state: known.count(state) for state in STATES}, len(heads) - len(known)


def title(counts: Mapping[str, int], *, is_well: bool, out_of_reach: int = 0) -> str:
    """The most urgent state first; a dot if there is no session; a cross before numbers that are out of date.

    How many agents are on machines out of reach comes last.
    """
    parts = [f"{LOOKS[state].symbol}{counts[state]}" for state in STATES if counts[state]]
    parts = parts if is_well else [TROUBLE.symbol, *parts]
    return " ".join([*parts, f"{TROUBLE.symbol}{out_of_reach}"] if out_of_reach else parts) or CALM.symbol


def shown(statuses: Statuses, now: float, *, show_hidden: bool = False, unfold: bool = False) -> list[SessionStatus]:
    """The sessions that rows are about: only their transcripts have to be read."""
    heads = [head for head in agents.heads(statuses.sessions) if show_hidden or not head.hidden]
    heads = [head for head in heads if unfold or not _is_stale(head, now)]
    nested = {agent.key for head in heads for agent in head.agents}
    return [*heads, *(session for session in statuses.sessions if session.hidden and session.session_id in nested)]


def _rows(heads: list[SessionStatus], scene: rows.Scene, *, unfold: bool) -> tuple[Row, ...]:
    projects, names = place.projects(heads), distinct_names(heads, scene.glimpses)
    drawn: list[Row] = []
    folded: list[SessionStatus] = []
    for session in heads:
        if _is_stale(session, scene.now) and not unfold:
            folded.append(session)
        else:
            drawn += rows.session_rows(session, (projects[session.session_id], names[session.session_id]), scene)
    return (*drawn, rows.folded_row(folded, projects)) if folded else tuple(drawn)


def _sorted(heads: list[SessionStatus], order: Order, glimpses: Mapping[str, Glimpse]) -> list[SessionStatus]:
    """They come sorted by urgency. In another order equal ones keep their places whatever becomes of them."""
    if order is Order.URGENCY:
        return heads
    if order is Order.AGE:
        return sorted(heads, key=lambda session: (-ages.moment(session.since), session.session_id))
    names = distinct_names(heads, glimpses)
    by_name = sorted(heads, key=lambda session: (names[session.session_id].casefold(), session.session_id))
    if order is Order.PROJECT:
        places = place.projects(heads)
        return sorted(by_name, key=lambda session: places[session.session_id].casefold())
    return by_name


def _stays(row: Row, now: float, *, fine: bool) -> float:
    until = ages.until_finely_older if fine else ages.until_older
    return until(ages.elapsed(now, row.since)) if row.age else ages.LONGEST


def _is_stale(session: SessionStatus, now: float) -> bool:
    """Its turn ended long ago, and no person has sent a prompt since."""
    return session.status == WAITING and now - max(ages.moment(session.since), ages.moment(session.human)) > STALE_S


def _has(group: list[Row], wanted: list[str]) -> bool:
    texts = [
        f"{row.name} {row.project} {row.team} {row.client} {row.words} {row.look.word} {row.session_id}"
        for row in group
    ]
    return all(word in " ".join(texts).casefold() for word in wanted)
