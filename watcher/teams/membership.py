"""Teams across sessions: a teammate in a pane of its own is a session of its own, and belongs under its lead.

Where nobody or more than one could be meant, nothing is decided, and it is said why.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from contract.clean import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from contract.facts import Fact
    from watcher.clients.base import Member, Origin

IMPLICIT = "session-"  # a team is named after the first characters of its lead's session
IMPLICIT_LENGTH = 8
MOST_NAMED = 8


class Membership(NamedTuple):
    lead: str  # session
    name: str
    team: str


def membership(
    session: str,
    origin: Origin,
    fact: Fact | None,
    sessions: Mapping[str, Fact | None],
    members: Iterable[Member] = (),
) -> tuple[Membership | None, str]:
    """By its arguments; where they cannot be read by its pane; else by what it said itself when it went idle."""
    members = tuple(members)
    if origin.lead and origin.lead != session:
        return _under(session, Membership(origin.lead, origin.member, origin.team), sessions, members)
    if not origin.program and (found := _by_pane(session, fact, sessions, members)):
        return found
    idle = fact.idles[-1] if fact and fact.idles else None
    if idle is None or not idle.team or leads(session, fact, idle.team, idle.word, members):
        return None, ""  # a lead may be told of its members' idles
    return _under(session, Membership("", idle.word, idle.team), sessions, members)


def _under(
    session: str, claim: Membership, sessions: Mapping[str, Fact | None], members: tuple[Member, ...]
) -> tuple[Membership | None, str]:
    """Under the lead that it names, if that is there; else under the one that leads its team."""
    if claim.lead in sessions:
        return claim, ""
    who = f"teammate {quoted(claim.name)} of {quoted(claim.team)}"
    others = {name: fact for name, fact in sessions.items() if name != session}
    found = [name for name, fact in others.items() if leads(name, fact, claim.team, claim.name, members)]
    if len(found) == 1:
        return claim._replace(lead=found[0]), ""
    if found:
        return None, f"{who}: {len(found)} leads could be meant, so it is under none"
    if claim.lead:
        return None, f"{who}: its lead {quoted(claim.lead)} is not there"
    teams = {spawn.team for lead in sessions.values() if lead for spawn in lead.spawned} | {one.team for one in members}
    return None, f"{who}: no such team is known; known: {listed(teams)}"


def leads(session: str, fact: Fact | None, team: str, name: str, members: tuple[Member, ...]) -> bool:
    """The client's list of the team says so; or an implicit team is named after it; or it has started that member."""
    if any((one.lead, one.team) == (session, team) for one in members):
        return True
    own = team.removeprefix(IMPLICIT)
    if own != team:
        return bool(own) and session.startswith(own)
    return bool(fact) and any((spawn.team, spawn.name) == (team, name) for spawn in (fact.spawned if fact else ()))


def _by_pane(
    session: str, fact: Fact | None, sessions: Mapping[str, Fact | None], members: tuple[Member, ...]
) -> tuple[Membership | None, str] | None:
    """The client notes in which pane of tmux it put each member; a pane is one only within its server."""
    pane = fact.terminal.get("TMUX_PANE") if fact else ""
    claims = [
        Membership(one.lead, one.name, one.team)
        for one in members
        if pane and one.pane == pane and one.lead != session and _share(fact, sessions.get(one.lead))
    ]
    if len(claims) == 1:
        return claims[0], ""
    teams = listed({claim.team for claim in claims})
    return (None, f"in pane {pane}, which the teams {teams} all name, so it is under none") if claims else None


def _share(one: Fact | None, other: Fact | None) -> bool:
    """Whether two run in the same tmux, of which the variable names the socket and the server's process."""
    servers = [fact.terminal.get("TMUX", "").rpartition(",")[0] if fact else "" for fact in (one, other)]
    return servers[0] == servers[1] != ""


def implicit(lead: str) -> str:
    """The name of the team that a session leads without having been told to."""
    return IMPLICIT + lead[:IMPLICIT_LENGTH]


def listed(names: Iterable[str]) -> str:
    """They were chosen by agents, so they are quoted."""
    return ", ".join(quoted(name) for name in sorted(filter(None, names))[:MOST_NAMED]) or "none"
