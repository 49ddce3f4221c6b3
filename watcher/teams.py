"""Teams across sessions: a teammate in a pane of its own is a session of its own, and belongs under its lead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from contract.status import WAITING, Weighed
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


def arriving(lead: Fact | None, begun: Iterable[tuple[str, float]], now: float) -> int:
    """Teammates that were started with something to do, but whose process has not begun yet.

    `begun`: the names of those that have, and when. First in, first out; one that began before a spawn is another one.
    """
    here = sorted(begun, key=lambda one: one[1])
    waiting = 0
    for spawn in sorted((s for s in lead.spawned if s.at) if lead else (), key=lambda s: s.at or (0.0, 0.0)):
        at = spawn.at[1] if spawn.at else 0.0
        found = next((one for one in here if one[0] == spawn.name and one[1] >= at), None)
        if found:
            here.remove(found)
        elif "@" in spawn.id and now - at < ARRIVAL_S:
            waiting += 1
    return waiting


def membership(
    session: str, origin: Provenance, fact: Fact | None, leads: Mapping[str, Fact | None]
) -> tuple[Membership | None, str]:
    """Whose teammate a session is: by its arguments, else by what it said itself when it went idle.

    Where no lead or more than one could be meant it is nobody's, and the second part says why.
    """
    if origin.lead and origin.lead != session:
        return Membership(origin.lead, origin.member, origin.team), ""
    idle = fact.idle if fact else None
    if idle is None or not idle.team:
        return None, ""
    found = [one for one, lead in leads.items() if one != session and _leads(one, lead, idle.team, idle.word)]
    if len(found) == 1:
        return Membership(found[0], idle.word, idle.team), ""
    if found:
        return None, f"teammate {idle.word} of {idle.team}: {len(found)} leads could be meant, so it is under none"
    known = sorted({spawn.team for lead in leads.values() if lead for spawn in lead.spawned if spawn.team})
    return None, f"teammate {idle.word} of {idle.team}: no such team is known; known: {', '.join(known[:8]) or 'none'}"


def _leads(session: str, lead: Fact | None, team: str, name: str) -> bool:
    """An implicit team is named after its lead's session; of any other its lead has started a member of that name."""
    own = team.removeprefix(IMPLICIT)
    if own != team:
        return bool(own) and session.startswith(own)
    return bool(lead) and any((spawn.team, spawn.name) == (team, name) for spawn in (lead.spawned if lead else ()))


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


def with_doubt(session: SessionStatus, doubt: str) -> SessionStatus:
    """Why a teammate is under no lead, for the one who asks."""
    if not doubt:
        return session
    main, *others = session.agents
    told = main._replace(weighed=(*main.weighed, Weighed("team", doubt, main.since)))
    return session._replace(agents=(told, *others))


def _as_agents(member: Membership, session: SessionStatus) -> list[AgentStatus]:
    main, *others = session.agents
    detail = main.detail or ("idle" if main.status == WAITING else "")
    mate = main._replace(key=session.session_id, kind="teammate", parent="main", name=member.name, detail=detail)
    return [
        mate,
        *(other._replace(parent=session.session_id if other.parent == "main" else other.parent) for other in others),
    ]
