"""What a session's team adds to the evidence on it."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from contract.paths import MAIN
from contract.status import WAITING
from watcher.rules.evidence import Mates
from watcher.teams.idles import ARRIVAL_S, Mate, arriving, closed, mates_inside, shown_by, unknown_idles

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from contract.facts import Fact
    from watcher.clock import Clock
    from watcher.rules.evidence import Evidence, Shown
    from watcher.sessions.roster import Roster
    from watcher.sessions.session import Session


def with_team(session: Session, evidence: Evidence, roster: Roster, clock: Clock) -> Evidence:
    """A teammate's requests and idles are told in its lead; a lead is at work while its teammates are."""
    mates = _at_work(session, roster, evidence.now)
    lead = _lead(session, roster)
    if lead is None:
        return replace(evidence, mates=mates, closed=_closed(session, roster))
    idle, report = _closed(lead, roster).get(session.id), lead.registry_report(evidence.now, clock)
    return replace(
        evidence,
        mates=mates,
        closed={MAIN: idle} if idle is not None else {},
        has_lead=True,
        lead_report=report,
        history=evidence.history if evidence.report else lead.reports.history,
    )


def shown_for(session: Session, roster: Roster) -> tuple[Shown, ...]:
    """Its requests that its lead shows, also while it was being cleared."""
    team, lead = roster.teams.of(session.id), _lead(session, roster)
    if team is None or lead is None:
        return ()
    return tuple(
        shown
        for session_of_lead in roster.of_process(lead)
        for shown in shown_by(session_of_lead.main, team.name, lead.adapter)
        if session_of_lead is lead or _is_after_goodbye(shown, session_of_lead)
    )


def doubts(session: Session, roster: Roster) -> tuple[str, ...]:
    """What of its team cannot be settled."""
    own = roster.teams.doubts.get(session.id)
    led = unknown_idles(_mates(session, roster), session.main.idles) if roster.leads(session) and session.main else ()
    return (*([own] if own else []), *led)


def _lead(session: Session, roster: Roster) -> Session | None:
    team = roster.teams.of(session.id)
    return roster.get(team.lead) if team else None


def _is_after_goodbye(shown: Shown, session: Session) -> bool:
    """Then it belongs to the session that its process has next."""
    ended = session.main.ended if session.main else None
    return ended is not None and ended.at is not None and shown.at > ended.at.boot


def _at_work(lead: Session, roster: Roster, now: float) -> Mates:
    """Those in panes of their own."""
    names = roster.teams.members(lead.id)
    if not names and not (lead.main and lead.main.spawned):
        return Mates()
    mates = [mate for name in names if (mate := roster.get(name)) and mate.status]
    turns = [mate.main.turn for mate in mates if mate.main and mate.main.turn]
    idle = [turn.ended.boot for turn in turns if turn.ended]
    busy = {mate.id for mate in mates if mate.status and mate.status.status != WAITING}
    # Its first turn may be told by its transcript alone.
    at_work = [mate.main for mate in mates if mate.main and (mate.main.turn or mate.id in busy)]
    begun = [(names[main.session].name, main.started.boot) for main in at_work if main.started]
    # An old client names those in its own process as if they had one of their own.
    begun += [(fact.type, fact.started.boot) for fact in _mates_here(lead).values() if fact.started]
    is_asking = any(mate.is_blocked for mate in mates)
    number = len(busy) + arriving(lead.main, begun, now)  # who is on its way has a pane already
    heard_at = last_heard([mate.main for mate in mates if mate.main and mate.id in busy]) or max(idle, default=0.0)
    return Mates(max(len(mates), number), number, max(idle, default=None), is_asking, heard_at)


def last_heard(mates: Sequence[Fact]) -> float:
    """Since when each of them has told of something; 0 if there is none."""
    return min((fact.last.at.boot for fact in mates if fact.last and fact.last.at), default=0.0)


def _closed(lead: Session, roster: Roster) -> dict[str, float]:
    if lead.main is None or not lead.main.idles or not roster.leads(lead):
        return {}
    return closed(_mates(lead, roster), lead.main.idles)


def _mates(lead: Session, roster: Roster) -> Iterator[Mate]:
    yield from _in_panes(lead, roster)
    yield from _in_process(lead)


def _in_panes(lead: Session, roster: Roster) -> Iterator[Mate]:
    for key, member in roster.teams.members(lead.id).items():
        mate = roster.get(key)
        main = mate.main if mate else None
        since = main.turn.opened.boot if main and main.turn and main.turn.opened and main.turn.is_open else None
        began = main.started.boot + ARRIVAL_S if main and main.started else 0.0
        yield Mate(key, member.name, member.team, since, _woken(since, began))


def _in_process(lead: Session) -> Iterator[Mate]:
    spawned = {spawn.id: spawn for spawn in lead.main.spawned} if lead.main else {}
    for key, fact in _mates_here(lead).items():
        spawn = spawned.get(key)
        since = fact.started.boot if fact.started and not fact.stopped else None
        began = spawn.at.boot + ARRIVAL_S if spawn and spawn.at else math.inf
        team = (spawn.team if spawn else "") or lead.adapter.implicit_team(lead.id)
        yield Mate(key, fact.type, team, since, _woken(since, began))


def _mates_here(lead: Session) -> dict[str, Fact]:
    inside = mates_inside(lead.facts, {}, lead.adapter)
    return {key: fact for key, fact in lead.facts.items() if key in inside}


def _woken(since: float | None, began: float) -> float:
    """Whoever went to work later than it takes to begin at all was woken for it."""
    return since if since is not None and since > began else 0.0
