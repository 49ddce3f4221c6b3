"""Who belongs together: a session with its agents, a lead with its teammates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contract.paths import MAIN
from contract.status import WAITING, AgentStatus, SessionStatus, urgency
from statusbar.text.ages import moment

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

DEEPEST = 8


def heads(sessions: Sequence[SessionStatus]) -> list[SessionStatus]:
    """In order, without the teammates' own sessions: their lead has them among its agents."""
    nested = {agent.key for one in sessions if not one.hidden for agent in one.agents}
    alone = [one for one in sessions if not (one.hidden and one.session_id in nested)]
    return in_order(alone)


def in_order(sessions: Sequence[SessionStatus]) -> list[SessionStatus]:
    """The rank ends with the id, so that equals do not change places."""
    return sorted(sessions, key=lambda one: (rank(one.status, one.since), one.session_id))


def agents(session: SessionStatus) -> Iterator[tuple[int, AgentStatus]]:
    """The agents that still count, each below the one that started it, with its depth. None if main is alone."""
    known = {one.key: one for one in reversed(session.agents) if not _is_over(one)}
    if set(known) <= {MAIN}:
        return
    below: dict[str | None, list[AgentStatus]] = {}
    for one in sorted(known.values(), key=lambda one: (one.key != MAIN, rank(one.status, one.since), one.key)):
        below.setdefault(one.parent if one.parent in known else None, []).append(one)
    seen: set[str] = set()
    yield from _descend(below, None, 0, seen)
    yield from ((0, one) for one in known.values() if one.key not in seen)


def rank(state: str, since: float) -> tuple[int, float]:
    """Blocked first, the oldest on top; then working; then waiting, the newest on top."""
    at = moment(since)
    return urgency(state), -at if state == WAITING else at


def _descend(
    below: dict[str | None, list[AgentStatus]], parent: str | None, depth: int, seen: set[str]
) -> Iterator[tuple[int, AgentStatus]]:
    for one in below.get(parent, ()):
        if one.key not in seen:
            seen.add(one.key)
            yield depth, one
            if depth < DEEPEST:
                # Everything comes from main: a level for that would only push the rows to the right.
                yield from _descend(below, one.key, depth + (one.key != MAIN), seen)


def _is_over(agent: AgentStatus) -> bool:
    return agent.state == "joined" and agent.key != MAIN
