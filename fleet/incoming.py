"""What another machine says of a session, made fit to be kept here: bounded, clean, and by our clock. Pure."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from contract import life, status
from contract.clean import clean

if TYPE_CHECKING:
    from collections.abc import Iterable

    from contract.status import AgentStatus, SessionStatus, Weighed

SESSIONS, AGENTS, WEIGHED = 500, 200, 40  # of a host, a session, an agent: the rest is left out
ID, NAME, FOLDER, DETAIL = 128, 80, 500, 200
FAR_S = 400 * 86400.0  # a time so far away is none
TERMINAL = ("TMUX", "TMUX_PANE")  # by which a terminal on its own machine is found again
STATES = frozenset(life.STATES)
SLACK_S = 2.0  # a message may take so long: clocks that differ by less are equal
# A clock that was measured is measured anew only if it has moved so far: else each slow line would give every request
# another time, and a person would be told of it again.
MOVED_S = 10.0


class Report(NamedTuple):
    """One line of `yourturn status --json --full --watch`."""

    sessions: tuple[SessionStatus, ...]
    known: bool  # whether the states were up to date there
    version: str
    left_out: int = 0  # sessions that could not be read, or were too many


def ahead(said: Any, now: float, before: float | None = None) -> float:
    """How many seconds its clock is ahead of ours; `before` is what was measured, None for the first time."""
    at = _number(said)
    found = at - now if abs(at - now) < FAR_S else before or 0.0
    if before is None:
        return found if abs(found) >= SLACK_S else 0.0
    return found if abs(found - before) >= MOVED_S else before


def report(raw: dict[str, Any], ahead_s: float, now: float) -> Report:
    """Sessions that are not its own are left out without a word: two machines may look at each other."""
    listed = raw.get("sessions")
    records = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    own = [one for one in records if not one.get("host")]
    read = [session(one, ahead_s, now) for one in own[:SESSIONS]]
    found = {one.session_id: one for one in read if one}
    return Report(
        tuple(found.values()), raw.get("known") is True, clean(raw.get("version"), NAME), len(own) - len(found)
    )


def session(raw: dict[str, Any], ahead_s: float, now: float) -> SessionStatus | None:
    """None for what cannot be shown. What only its own machine can look up is left out."""
    raw = {**raw, "agents": raw["agents"][:AGENTS]} if isinstance(raw.get("agents"), list) else raw
    found = status.of_fields(raw)
    if found is None or not _is_id(found.session_id):
        return None
    terminal = {name: clean(found.terminal.get(name), FOLDER) for name in TERMINAL if found.terminal.get(name)}
    return found._replace(
        **_texts(found, ("name", "detail", "rule", "evidence", "team", "entrypoint", "quote", "client")),
        cwd=clean(found.cwd, FOLDER),
        pid=None,
        shown_by=None,
        transcript="",
        parent=found.parent if _is_id(found.parent) else "",
        terminal=terminal,
        host="",
        since=_here(found.since, ahead_s, now),
        human=_here(found.human, ahead_s, now),
        agents=tuple(_agent(agent, ahead_s, now) for agent in found.agents if _is_id(agent.key)),
    )


def _agent(agent: AgentStatus, ahead_s: float, now: float) -> AgentStatus:
    return agent._replace(
        **_texts(agent, ("kind", "type", "detail", "rule", "evidence", "name", "reason", "how", "quote")),
        parent=agent.parent if agent.parent and _is_id(agent.parent) else None,
        state=agent.state if agent.state in STATES else "",
        waits_for=tuple(key for key in agent.waits_for[:AGENTS] if _is_id(key)),
        since=_here(agent.since, ahead_s, now),
        denied=_here(agent.denied, ahead_s, now),
        weighed=tuple(_weighed(one, ahead_s, now) for one in agent.weighed[:WEIGHED]),
    )


def _weighed(one: Weighed, ahead_s: float, now: float) -> Weighed:
    return one._replace(**_texts(one, ("source", "says", "overruled", "kind")), at=_here(one.at, ahead_s, now))


def _texts(record: Any, names: Iterable[str]) -> dict[str, Any]:
    """A name that is not there, as `type` or `team` may be, stays so."""
    lengths = {"name": NAME, "team": NAME, "client": NAME, "kind": NAME, "type": NAME}
    texts = {name: getattr(record, name) for name in names}
    return {name: text if text is None else clean(text, lengths.get(name, DETAIL)) for name, text in texts.items()}


def _is_id(text: str) -> bool:
    return bool(text) and len(text) <= ID and text.isprintable()


def _here(at: float, ahead_s: float, now: float) -> float:
    """The time by our clock; 0 for one that is missing or cannot be, and never one to come."""
    here = _number(at) - ahead_s
    return min(here, now) if at and abs(now - here) < FAR_S else 0.0


def _number(said: Any) -> float:
    """NaN for anything else, and for a number that no clock has."""
    if not isinstance(said, int | float) or isinstance(said, bool):
        return math.nan
    try:
        return float(said)
    except OverflowError:
        return math.nan
