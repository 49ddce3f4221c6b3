"""Teams across sessions: a teammate in a pane of its own is a session of its own, and belongs under its lead."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from contract.status import NEEDS_APPROVAL, AgentStatus, SessionStatus, urgency
from watcher.evidence import Shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from contract.facts import Fact
    from watcher.provenance import Provenance

ASKS = " needs permission for "
IMPLICIT = "session-"  # a team is named after the first characters of its lead's session


@dataclass(frozen=True, slots=True)
class Membership:
    lead: str  # session
    name: str
    team: str


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
    mates = tuple(one for key in sorted(members) for one in _as_agents(*members[key]))
    agents = (*lead.agents, *mates)
    top = min(agents, key=lambda a: (urgency(a.status), a.kind != "agent", a.since))
    team = next(m.team for m, _ in members.values())
    if top.kind == "agent" and top.key == "main":
        return replace(lead, team=team, agents=agents)
    words = f"{top.name}: {top.detail}" if top.name and top.status == NEEDS_APPROVAL else top.detail
    detail = words if urgency(top.status) < urgency(lead.status) else lead.detail
    return replace(
        lead, team=team, agents=agents, status=top.status, detail=detail, since=top.since, rule=top.rule,
        evidence=top.evidence,
    )  # fmt: skip


def _as_agents(member: Membership, session: SessionStatus) -> list[AgentStatus]:
    main, *others = session.agents
    mate = replace(main, key=session.session_id, kind="teammate", parent="main", name=member.name)
    return [
        mate,
        *(replace(other, parent=session.session_id if other.parent == "main" else other.parent) for other in others),
    ]
