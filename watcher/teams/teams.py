"""Who is in whose team at one moment. Pure: from what is known of each session, and who was in whose team before."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from watcher.teams.membership import Membership, membership

if TYPE_CHECKING:
    from collections.abc import Mapping

    from contract.facts import Fact
    from watcher.teams.membership import Claim


class PossibleLead(NamedTuple):
    """What is known of a session that may lead."""

    main: Fact | None
    present: str  # the session that its process has now, itself mostly; '' if it is over


@dataclass(frozen=True, slots=True)
class Teams:
    memberships: Mapping[str, Membership] = field(default_factory=dict)  # by member
    doubts: Mapping[str, str] = field(default_factory=dict)  # by session: why it is under no lead

    def of(self, session: str) -> Membership | None:
        return self.memberships.get(session)

    def members(self, lead: str) -> dict[str, Membership]:
        return {name: team for name, team in self.memberships.items() if team.lead == lead}

    def relatives(self, names: set[str]) -> set[str]:
        """The leads of these sessions, and the members of them and of their leads."""
        leads = {team.lead for name in names if (team := self.memberships.get(name))}
        return leads.union(name for name, team in self.memberships.items() if team.lead in names | leads)

    def concerns(self, session: str) -> bool:
        return session in self.doubts or session in self.memberships or bool(self.members(session))


NONE = Teams()


def teams_of(claims: Mapping[str, Claim], sessions: Mapping[str, PossibleLead], before: Teams) -> Teams:
    """Who was in a team stays there when nothing tells of it any more, as long as its lead is there."""
    if not claims and before == NONE:
        return NONE
    mains = {name: lead.main for name, lead in sessions.items()}
    memberships: dict[str, Membership] = {}
    doubts: dict[str, str] = {}
    for name in sorted(sessions):
        team = before.of(name)
        if claim := claims.get(name):
            named, doubt = membership(name, claim, mains[name], mains)
            team, doubts[name] = named or team, doubt
        present = sessions[team.lead].present if team and team.lead in sessions else ""
        if team and present:
            memberships[name] = team._replace(lead=present)
    return Teams(memberships, {name: doubt for name, doubt in doubts.items() if doubt})
