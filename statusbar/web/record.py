"""The board as the page draws it: one JSON object, of bounded size, without ages. Pure."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from contract.status import NEEDS_APPROVAL, STATES
from statusbar.model import snapshot
from statusbar.model.rows import Kind
from statusbar.text.symbols import CALM, COUNTED, HEX, LOOKS, TROUBLE, counted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statusbar.model.board import Board
    from statusbar.model.rows import Row
    from statusbar.text.symbols import Look

MOST_SESSIONS, MOST_AGENTS = 300, 60
NOBODY, UNKNOWN = "No agent is running", "unknown"
HEADINGS = {NEEDS_APPROVAL: "Needs you", UNKNOWN: "Unknown"}
EXPOSED = (
    "Shown to the network: whoever can reach {} and has the link sees this page, and it is not encrypted on the way."
)


def record(whole: Board, exposed: str = "") -> dict[str, Any]:
    """`exposed`: the address, if others than this machine can reach it."""
    sessions = _families(whole.rows)
    return {
        "title": whole.title,
        "headline": headline(whole),
        "sign": sign(whole),
        "counts": _counts(whole),
        "is_well": whole.is_well,
        "notices": list(whole.notices),
        "exposed": EXPOSED.format(exposed) if exposed else "",
        "groups": [group for state in (*STATES, UNKNOWN) if (group := _group(whole, state, sessions))],
        "below": [*_left_out(sessions), *_hidden(whole.hidden), *_folded(whole.rows)],
    }


def as_text(made: dict[str, Any]) -> str:
    """In one line of ASCII: an event ends with the line."""
    return json.dumps(made, allow_nan=False, separators=(",", ":"))


def headline(whole: Board) -> str:
    """The most urgent state, and how many; unknown comes before all."""
    if not whole.is_well:
        return whole.unknown[:1].upper() + whole.unknown[1:]
    state = _most_urgent(whole)
    if state is None:
        return snapshot.UNKNOWN.capitalize() if whole.notices else NOBODY
    number = whole.counts[state]
    return f"{number} {'agent' if number == 1 else 'agents'} {_worded(state, number)}"


def sign(whole: Board) -> dict[str, Any]:
    """What the icon of the tab shows: a shape, its colour and how many."""
    state = _most_urgent(whole)
    if whole.is_well and state:
        return _sign(state, LOOKS[state], whole.counts[state])
    return _sign(UNKNOWN, TROUBLE, 0) if whole.notices or not whole.is_well else _sign("calm", CALM, 0)


def _most_urgent(whole: Board) -> str | None:
    return next((state for state in STATES if whole.counts[state]), None)


def _sign(shape: str, look: Look, number: int) -> dict[str, Any]:
    return {"shape": shape, "colour": HEX[look.colour], "number": number}


def _worded(state: str, number: int) -> str:
    one, several, _ = COUNTED.get(state, (LOOKS[state].word, LOOKS[state].word, ""))
    return one if number == 1 else several


def _counts(whole: Board) -> list[dict[str, Any]]:
    """Those on machines out of reach are in no state: nobody knows."""
    numbers = {state: number for state, number in whole.counts.items() if number}
    told = [
        {"state": state, "words": counted(state, number, is_old=not whole.is_well)} for state, number in numbers.items()
    ]
    lost = sum(row.is_old for row in whole.rows if row.kind is Kind.SESSION) if whole.is_well else 0
    return [*told, *([{"state": UNKNOWN, "words": f"{lost} unknown"}] if lost else [])]


def _families(rows: Iterable[Row]) -> list[tuple[Row, list[Row]]]:
    """Each session with the rows below it."""
    found: list[tuple[Row, list[Row]]] = []
    for row in rows:
        if row.kind is Kind.SESSION:
            found.append((row, []))
        elif row.kind is Kind.AGENT and found:
            found[-1][1].append(row)
    return found


def _group(whole: Board, state: str, sessions: list[tuple[Row, list[Row]]]) -> dict[str, Any] | None:
    """Those in this state, if there are any. What is out of date is no longer in its state."""
    those = [_session(row, below) for row, below in sessions[:MOST_SESSIONS] if _state(row) == state]
    name = HEADINGS.get(state) or LOOKS[state].word.capitalize()
    # With those that are folded into one line below.
    number = whole.counts[state] if whole.is_well and state in whole.counts else len(those)
    return {"state": state, "name": name, "number": number, "rows": those} if those else None


def _state(row: Row) -> str:
    return UNKNOWN if row.is_old else row.state


def _session(row: Row, below: list[Row]) -> dict[str, Any]:
    about = {
        "project": row.project,
        "name": row.name_in_project if row.project else row.name,
        "tags": [tag for tag in (row.client, row.team and f"team {row.team}") if tag],
        "agents": [{**_row(one), "name": one.name, "depth": one.depth - 1} for one in below[:MOST_AGENTS]],
        "more": max(len(below) - MOST_AGENTS, 0),
        "below": _agents(below),
    }
    return {**_row(row), **about}


def _row(row: Row) -> dict[str, Any]:
    return {
        "id": _key(row.id),
        "state": row.state,
        "word": row.look.word,
        "is_old": row.is_old,
        "detail": row.detail,
        "said": row.said,
        "since": row.since if row.age else None,
    }


def _key(id_: tuple[str, str]) -> str:
    """The same as long as the row is about the same thing, and nothing that somebody else has chosen."""
    named = "\0".join(id_).encode("utf-8", "surrogatepass")
    return hashlib.blake2s(named, digest_size=8).hexdigest()


def _agents(below: list[Row]) -> str:
    """How many there are and how they are, in words: '3 agents: 1 needs you, 2 working'."""
    if not below:
        return ""
    numbers = {state: sum(row.state == state for row in below) for state in STATES}
    parts = [counted(state, number, is_old=below[0].is_old) for state, number in numbers.items() if number]
    return f"{len(below)} {'agent' if len(below) == 1 else 'agents'}: {', '.join(parts)}"


def _left_out(sessions: list[tuple[Row, list[Row]]]) -> list[str]:
    more = len(sessions) - MOST_SESSIONS
    return [f"{more} more {'session is' if more == 1 else 'sessions are'} not shown here"] if more > 0 else []


def _hidden(number: int) -> list[str]:
    return [f"{number} background {'session is' if number == 1 else 'sessions are'} hidden"] if number else []


def _folded(rows: Iterable[Row]) -> list[str]:
    return [f"{row.name}, {row.detail}" for row in rows if row.kind is Kind.FOLDED]
