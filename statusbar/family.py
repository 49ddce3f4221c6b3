"""Who belongs together: a session with its agents, a lead with the members of its team."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from contract.paths import MAIN
from contract.status import WAITING, AgentStatus, SessionStatus, urgency
from statusbar.ages import moment

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

TEAM_OF = "session-"  # the implicit team's name, before the first eight characters of its lead's id
DEEPEST = 8


class Family(NamedTuple):
    """A team shows the most urgent of its members."""

    head: SessionStatus
    members: tuple[SessionStatus, ...] = ()

    @property
    def speaker(self) -> SessionStatus:
        return min((self.head, *self.members), key=lambda one: rank(one.status, one.since))

    @property
    def rank(self) -> tuple[int, float]:
        return rank(self.speaker.status, self.speaker.since)


def families(sessions: Sequence[SessionStatus]) -> list[Family]:
    """Members of a team whose lead is not there stand for themselves."""
    leads = {team: _lead(team, sessions) for team in {one.team for one in sessions if one.team}}
    leading = {lead.session_id for lead in leads.values() if lead}
    members: dict[str, list[SessionStatus]] = {}
    heads = []
    for one in sessions:
        lead = leads.get(one.team or "")
        if lead is None or one.session_id in leading:
            heads.append(one)
        else:
            members.setdefault(lead.session_id, []).append(one)
    return [Family(head, tuple(members.get(head.session_id, ()))) for head in heads]


def in_order(sessions: Sequence[SessionStatus]) -> list[Family]:
    """Ends with the id, so that equals do not change places."""
    return sorted(families(sessions), key=lambda clan: (clan.rank, clan.head.session_id))


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


def _lead(team: str, sessions: Iterable[SessionStatus]) -> SessionStatus | None:
    """The session the team is named after, else the only one of the team that is nobody's teammate."""
    sessions = list(sessions)
    id_start = team.removeprefix(TEAM_OF) if team.startswith(TEAM_OF) else ""
    named = [one for one in sessions if id_start and one.session_id.startswith(id_start)]
    found = named or [one for one in sessions if one.team == team and not _is_teammate(one)]
    return found[0] if len(found) == 1 else None


def _is_teammate(session: SessionStatus) -> bool:
    return any(one.key == MAIN and one.kind == "teammate" for one in session.agents)
