"""Teams across sessions: a teammate in a pane of its own is a session of its own, and belongs under its lead.

Where nobody or more than one could be meant, nothing is decided, and it is said why.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from contract.clean import quoted
from watcher.clients.base import Origin

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from contract.facts import Fact, Mark
    from watcher.clients.base import Adapter, Member

MOST_NAMED = 8


class Membership(NamedTuple):
    lead: str  # session
    name: str
    team: str
    kind: str = "teammate"  # or worker


class Claim(NamedTuple):
    """What tells that a session may be a teammate's."""

    client: Adapter
    origin: Origin = Origin()
    members: tuple[Member, ...] = ()  # all that its client lists


def membership(
    session: str, claim: Claim, fact: Fact | None, sessions: Mapping[str, Fact | None]
) -> tuple[Membership | None, str]:
    """By its arguments; where they cannot be read by its pane; else by what it said itself when it went idle."""
    origin = claim.origin
    if origin.lead and origin.lead != session:
        return _under(session, Membership(origin.lead, origin.member, origin.team), claim, sessions)
    if not origin.program and (by_pane := _by_pane(session, fact, sessions, claim.members)):
        return by_pane
    idle = fact.idles[-1] if fact and fact.idles else None
    if idle is None or not idle.team or leads(session, fact, named_by(idle), claim):
        return None, ""  # a lead may be told of its members' idles
    return _under(session, named_by(idle), claim, sessions)


def named_by(idle: Mark) -> Membership:
    """Who went idle, as that was told; its lead was not."""
    return Membership("", idle.word, idle.team)


def _under(
    session: str, named: Membership, claim: Claim, sessions: Mapping[str, Fact | None]
) -> tuple[Membership | None, str]:
    """Under the lead that it names, if that is there; else under the one that started it, or that leads its team."""
    if named.lead in sessions:
        return named, ""
    who = f"teammate {quoted(named.name)} of {quoted(named.team)}"
    others = {name: fact for name, fact in sessions.items() if name != session}
    possible = _starters(named, others) or [name for name, fact in others.items() if leads(name, fact, named, claim)]
    if len(possible) == 1:
        return named._replace(lead=possible[0]), ""
    if possible:
        return None, f"{who}: {len(possible)} leads could be meant, so it is under none"
    if named.lead:
        return None, f"{who}: its lead {quoted(named.lead)} is not there"
    spawned = {spawn.team for lead in sessions.values() if lead for spawn in lead.spawned}
    teams = spawned | {member.team for member in claim.members}
    return None, f"{who}: no such team is known; known: {listed(teams)}"


def leads(session: str, fact: Fact | None, named: Membership, claim: Claim) -> bool:
    """The client's list of the team says so; or an implicit team is named after it; or it has started that member."""
    if any((member.lead, member.team) == (session, named.team) for member in claim.members):
        return True
    begins = claim.client.implicit_lead(named.team)
    return bool(begins and session.startswith(begins)) or bool(_starters(named, {session: fact}))


def _starters(named: Membership, sessions: Mapping[str, Fact | None]) -> list[str]:
    """Those who have started this member. A team keeps its name, and its list its lead, when that is cleared."""
    started = {name: fact.spawned for name, fact in sessions.items() if fact}
    return [
        name
        for name, spawned in started.items()
        if any((spawn.team, spawn.name) == (named.team, named.name) for spawn in spawned)
    ]


def _by_pane(
    session: str, fact: Fact | None, sessions: Mapping[str, Fact | None], members: tuple[Member, ...]
) -> tuple[Membership | None, str] | None:
    """The client notes in which pane of tmux it put each member; a pane is one only within its server."""
    pane = fact.terminal.get("TMUX_PANE") if fact else ""
    in_it = [Membership(m.lead, m.name, m.team) for m in members if pane and m.pane == pane and m.lead != session]
    found = [named._replace(lead=lead) for named in in_it for lead in _possible_leads(named, sessions)]
    claims = [named for named in found if _share_tmux(fact, sessions[named.lead])]
    if len(claims) == 1:
        return claims[0], ""
    teams = listed({claim.team for claim in claims})
    return (None, f"in pane {pane}, which the teams {teams} all name, so it is under none") if claims else None


def _possible_leads(named: Membership, sessions: Mapping[str, Fact | None]) -> list[str]:
    return [named.lead] if named.lead in sessions else _starters(named, sessions)


def _share_tmux(member: Fact | None, lead: Fact | None) -> bool:
    """Whether two run in the same tmux, of which the variable names the socket and the server's process."""
    servers = [fact.terminal.get("TMUX", "").rpartition(",")[0] if fact else "" for fact in (member, lead)]
    return servers[0] == servers[1] != ""


def listed(names: Iterable[str]) -> str:
    """They were chosen by agents, so they are quoted."""
    return ", ".join(quoted(name) for name in sorted(filter(None, names))[:MOST_NAMED]) or "none"
