"""Teams across sessions: a teammate in a pane of its own is a session of its own, and belongs under its lead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from contract.status import WAITING
from watcher.evidence import Shown
from watcher.headline import headline

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from contract.facts import Fact
    from contract.status import AgentStatus, SessionStatus
    from watcher.provenance import Provenance
    from watcher.subagents import Meta

ASKS = " needs permission for "
ARRIVAL_S = 10.0  # how long a teammate's process may take to begin
IMPLICIT = "session-"  # a team is named after the first characters of its lead's session


@dataclass(frozen=True, slots=True)
class Membership:
    lead: str  # session
    name: str
    team: str


def is_mate(key: str, fact: Fact | None, meta: Meta | None) -> bool:
    """Whether an agent of the lead's own process is a teammate: the client puts the name into its id."""
    if (meta and meta.name) or (fact and fact.idle):
        return True
    return bool(fact and fact.type) and key.startswith(f"a{fact.type if fact else ''}-")


def arriving(lead: Fact | None, begun: Mapping[str, int], now: float) -> int:
    """Teammates that were started with something to do, but whose process has not begun yet; by name, first come."""
    waiting = 0
    recent = [s.name for s in (lead.spawned if lead else ()) if "@" in s.id and s.at and now - s.at[1] < ARRIVAL_S]
    for name in set(recent):
        waiting += max(0, recent.count(name) - begun.get(name, 0))
    return waiting


def membership(session: str, origin: Provenance, fact: Fact | None, sessions: Iterable[str]) -> Membership | None:
    """What its arguments say, else what it said itself when it went idle; None if the lead cannot be told for sure."""
    if origin.lead and origin.lead != session:
        return Membership(origin.lead, origin.member, origin.team)
    idle = fact.idle if fact else None
    if idle is None or not idle.team.startswith(IMPLICIT) or len(idle.team) == len(IMPLICIT):
        return None
    leads = [one for one in sessions if one.startswith(idle.team.removeprefix(IMPLICIT)) and one != session]
    return Membership(leads[0], idle.word, idle.team) if len(leads) == 1 else None


def shown_by(lead: Fact | None, member: str) -> tuple[Shown, ...]:
    """The requests of this teammate that its lead shows, as the lead's notifications tell."""
    found = []
    for note in lead.notes.values() if lead else ():
        name, asks, tool = note.word.rpartition(ASKS)
        if asks and name == member and note.at:
            found.append(Shown(name, tool, note.at[1]))
    return tuple(found)


def nested(lead: SessionStatus, members: Mapping[str, tuple[Membership, SessionStatus]]) -> SessionStatus:
    """The lead's session with its teammates below it; it shows the most urgent of them all."""
    if not members:
        return lead
    agents = (*lead.agents, *(one for key in sorted(members) for one in _as_agents(*members[key])))
    team = next(member.team for member, _ in members.values())
    return lead._replace(team=team, agents=agents, **headline(agents)._asdict())


def _as_agents(member: Membership, session: SessionStatus) -> list[AgentStatus]:
    main, *others = session.agents
    detail = main.detail or ("idle" if main.status == WAITING else "")
    mate = main._replace(key=session.session_id, kind="teammate", parent="main", name=member.name, detail=detail)
    return [
        mate,
        *(other._replace(parent=session.session_id if other.parent == "main" else other.parent) for other in others),
    ]
