"""The order of sessions, and the tree of agents in a session."""

from __future__ import annotations

from contract import life
from contract.paths import MAIN
from contract.status import NEEDS_APPROVAL, WAITING, AgentStatus, SessionStatus, urgency
from statusbar.text.ages import moment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

DEEPEST = 8
KINDS = ("agent", "sub_agent", "teammate", "worker", "copilot")


def heads(sessions: Sequence[SessionStatus]) -> list[SessionStatus]:
    """In order, without the teammates' own sessions: their lead lists them among its agents."""
    return in_order(not_nested(sessions))


def not_nested(sessions: Sequence[SessionStatus]) -> list[SessionStatus]:
    nested = {agent.key for session in sessions if not session.hidden for agent in session.agents}
    return [session for session in sessions if not (session.hidden and session.session_id in nested)]


def are_mixed(sessions: Iterable[SessionStatus]) -> bool:
    """Whether they are of several kinds of client. What an older version wrote names none."""
    return len({session.client for session in sessions if session.client}) > 1


def blocked(sessions: Sequence[SessionStatus]) -> list[SessionStatus]:
    """Those that need the person, the longest first."""
    return [session for session in heads(sessions) if session.status == NEEDS_APPROVAL and not session.hidden]


def in_order(sessions: Sequence[SessionStatus]) -> list[SessionStatus]:
    """The id comes last in the key, so that sessions of equal rank do not change places."""
    return sorted(sessions, key=lambda session: (rank(session.status, session.since), session.session_id))


def agents(session: SessionStatus) -> Iterator[tuple[int, AgentStatus]]:
    """The agents that have not ended, each below its parent, with its depth. Nothing if main is the only one."""
    known = {agent.key: agent for agent in reversed(session.agents) if not _is_over(agent)}
    if set(known) <= {MAIN}:
        return
    below: dict[str | None, list[AgentStatus]] = {}
    for agent in sorted(
        known.values(), key=lambda agent: (agent.key != MAIN, rank(agent.status, agent.since), agent.key)
    ):
        below.setdefault(agent.parent if agent.parent in known else None, []).append(agent)
    seen: set[str] = set()
    yield from _descend(below, None, 0, seen)
    yield from ((0, agent) for agent in known.values() if agent.key not in seen)


def has_ended(agent: AgentStatus) -> bool:
    """However it ended. The board goes on to show one that failed."""
    return agent.state in life.ENDED


def rank(state: str, since: float) -> tuple[int, float]:
    """Blocked first, the oldest on top; then working; then waiting, the newest on top."""
    at = moment(since)
    return urgency(state), -at if state == WAITING else at


def _descend(
    below: dict[str | None, list[AgentStatus]], parent: str | None, depth: int, seen: set[str]
) -> Iterator[tuple[int, AgentStatus]]:
    for agent in below.get(parent, ()):
        if agent.key not in seen:
            seen.add(agent.key)
            yield depth, agent
            if depth < DEEPEST:
                # All agents are below main: to indent them for that would only waste columns.
                yield from _descend(below, agent.key, depth + (agent.key != MAIN), seen)


def _is_over(agent: AgentStatus) -> bool:
    return agent.state == "joined" and agent.key != MAIN
