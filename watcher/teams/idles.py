"""The teammates of one lead: who is at work, who went idle, who asks. By team and name, first in, first out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from contract.clean import quoted
from contract.paths import MAIN
from watcher.rules.evidence import Shown
from watcher.teams.membership import listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from contract.facts import Fact, Mark
    from watcher.clients.base import Adapter, Meta

ARRIVAL_S = 10.0  # how long a teammate's process may take to begin
AGAIN_S = 1.0  # an idle told again so soon is the same one: two hooks may have heard it


class Mate(NamedTuple):
    """A teammate as its lead knows it."""

    key: str  # its session, or in the lead's own process its agent id
    name: str
    team: str
    since: float | None  # when it went to work; None if it is idle already
    woken: float = 0.0  # when that was not for the first time


def mates_inside(facts: Mapping[str, Fact], metas: Mapping[str, Meta], client: Adapter) -> frozenset[str]:
    """The teammates in the lead's own process: the client notes their names, or they went idle, or their ids tell."""
    noted = {key for key, meta in metas.items() if meta.name}
    told = {key for key, fact in facts.items() if fact.idles or client.is_mate(key, fact.type)}
    return frozenset(noted | told) - {MAIN}


def arriving(lead: Fact | None, begun: Iterable[tuple[str, float]], now: float) -> int:
    """Teammates that were started with something to do, but whose process has not begun yet.

    `begun`: the names of those that have, and when. A process that began before a spawn is not the spawned one.
    """
    unclaimed = sorted(begun, key=lambda mate: mate[1])
    waiting = 0
    for spawn in sorted((s for s in lead.spawned if s.at) if lead else (), key=lambda s: s.at or (0.0, 0.0)):
        at = spawn.at.boot if spawn.at else 0.0
        called = spawn.began.boot if spawn.began else at - ARRIVAL_S
        begun_mate = next((mate for mate in unclaimed if mate[0] == spawn.name and mate[1] >= called), None)
        if begun_mate:
            unclaimed.remove(begun_mate)
        elif spawn.apart and now - at < ARRIVAL_S:
            waiting += 1
    return waiting


def closed(mates: Iterable[Mate], idles: Iterable[Mark]) -> dict[str, float]:
    """Whom the idles that were told under the lead's session have closed, and when.

    Each closes the one of its team and name that has been at work for longest. An idle that is told twice closes
    nobody else, and one that is older than a start does not close what has been started. Who was woken had been idle
    before: older idles belong to its previous turn.
    """
    mates = tuple(mates)
    at_work = sorted((mate for mate in mates if mate.since is not None), key=lambda mate: mate.since or 0.0)
    closed_at: dict[str, float] = {}
    for idle in _once(idles):
        at = idle.at.boot if idle.at else 0.0
        if any((m.team, m.name) == (idle.team, idle.word) and m.woken > at for m in mates):
            continue
        fits = (m for m in at_work if (m.team, m.name) == (idle.team, idle.word) and (m.since or 0.0) < at)
        if mate := next(fits, None):
            at_work.remove(mate)
            closed_at[mate.key] = at
    return closed_at


def unknown_idles(mates: Iterable[Mate], idles: Iterable[Mark]) -> tuple[str, ...]:
    """What to say of idles that no known teammate can have told."""
    known = {(mate.team, mate.name) for mate in mates}
    why = f"no such teammate is known; known: {listed({f'{name} of {team}' for team, name in known})}"
    unknown = {(idle.team, idle.word) for idle in idles} - known
    return tuple(f"{quoted(name)} of {quoted(team)} went idle: {why}" for team, name in unknown)


def _once(idles: Iterable[Mark]) -> list[Mark]:
    distinct: list[Mark] = []
    for idle in sorted(idles, key=lambda idle: idle.at or (0.0, 0.0)):
        same = [known for known in distinct if (known.team, known.word) == (idle.team, idle.word)]
        if not same or _boot(idle) - _boot(same[-1]) >= AGAIN_S:
            distinct.append(idle)
    return distinct


def _boot(mark: Mark) -> float:
    return mark.at.boot if mark.at else 0.0


def shown_by(lead: Fact | None, member: str, client: Adapter) -> tuple[Shown, ...]:
    """The requests of this teammate that its lead shows, as the lead's notifications tell."""
    requests = ((client.mate_request(note.word), note.at) for note in (lead.notes.values() if lead else ()))
    return tuple(
        Shown(member, request.tool, at.boot) for request, at in requests if request and request.member == member and at
    )
