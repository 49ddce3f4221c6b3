"""A lead's status with its teammates below it, or a dispatcher's with its workers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contract.status import WAITING
from watcher.rules.headline import headline

if TYPE_CHECKING:
    from collections.abc import Mapping

    from contract.status import AgentStatus, SessionStatus
    from watcher.teams.membership import Membership


def nested(lead: SessionStatus, members: Mapping[str, tuple[Membership, SessionStatus]]) -> SessionStatus:
    """It shows the most urgent of them all."""
    if not members:
        return lead
    agents = (*lead.agents, *(agent for key in sorted(members) for agent in _as_agents(*members[key])))
    team = next(member.team for member, _ in members.values()) or None
    return lead._replace(team=team, agents=agents, **headline(agents)._asdict())


def _as_agents(member: Membership, session: SessionStatus) -> list[AgentStatus]:
    main, *others = session.agents
    detail = main.detail or ("idle" if main.status == WAITING else "")
    mate = main._replace(key=session.session_id, kind=member.kind, parent="main", name=member.name, detail=detail)
    return [
        mate,
        *(other._replace(parent=session.session_id if other.parent == "main" else other.parent) for other in others),
    ]
