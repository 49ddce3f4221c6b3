"""Something nasty at every path that the watcher reads: its loop lives, and the others' lights are right."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from bench.sleepers import Sleepers
from contract import paths
from contract.status import NEEDS_APPROVAL
from torture import means, nasty
from torture.apart import FellError, apart
from torture.furniture import OTHER, SUB, furnish, transcript_of
from torture.looking import Look, behind_a_wall, bytes_read
from torture.result import Count, Result
from torture.room import SESSION, asks

if TYPE_CHECKING:
    from torture.dose import Dose
    from torture.room import Room

NAME = "hostile"
WHAT = "something nasty at every path that the watcher reads: it lives, and another session's light is right at once"
ITS_VOICE = ("a fact", "a lock", "a status")  # without them nobody can say what a session asks for
PUT_RIGHT = ("a fact", "a status", "the heartbeat")  # what we write ourselves
MOST_READ = 64 << 20  # by all looks of one case together; how long that takes is the machine's business


def places(room: Room, pid: int) -> dict[str, str]:
    transcript = transcript_of(room)
    below = transcript.removesuffix(".jsonl") + "/subagents"
    return {
        "a fact": room.fact_path(),
        "a fact of nobody": f"{room.state}/facts/nobody.main.json",
        "a lock": room.fact_path() + ".lock",
        "a status": paths.status(room.state, SESSION),
        "the heartbeat": paths.heartbeat(room.state),
        "the observations": paths.observations(room.state),
        "a registry file": f"{room.config}/sessions/{pid}.json",
        "a transcript": transcript,
        "a sub-agent's transcript": f"{below}/agent-{SUB}.jsonl",
        "a sub-agent's notes": f"{below}/agent-{SUB}.meta.json",
        "a team": f"{room.config}/teams/t/config.json",
    }


class Case(NamedTuple):
    room: Room
    pids: list[int]
    place: str
    thing: str

    def __str__(self) -> str:
        return f"{self.place}: {self.thing}"


def run(dose: Dose) -> Result:
    counts: list[Count] = []
    caught: list[str] = []
    with Sleepers(2) as clients:
        for number, place in enumerate(places(dose.room("hostile"), 1)):
            counts.append(Count(f"nasty: {place}"))
            for k, thing in enumerate(_some(dose, number)):
                case = Case(dose.room(f"hostile-{number}-{k}"), clients.pids, place, thing)
                caught += _try(case, counts[-1])
                dose.progress(counts[-1])
    remarks = tuple(f"caught in {caught.count(one)} cases: {one}" for one in sorted(set(caught)))
    return Result(NAME, tuple(one.tally() for one in counts), remarks=remarks)


def _some(dose: Dose, number: int) -> list[str]:
    """All in a long dose; in a short one each place gets two, and all together get all of them."""
    things = list(nasty.THINGS)
    return things if dose.is_long else [things[(number * 2 + k + dose.seed) % len(things)] for k in range(2)]


def _try(case: Case, count: Count) -> set[str]:
    """What the watcher caught of it."""
    uid = means.NOBODY if os.geteuid() == 0 else None  # root may read everything
    if uid:
        os.chown(case.room.path, uid, uid)
    try:
        found = apart(lambda: _endure(case), uid=uid)
    except FellError as error:
        count.blow(hit=True)
        count.lost(f"{case}: {error}")
        return set()
    count.blow(hit=found["is there"], where=str(case))
    count.check(found["other"] == NEEDS_APPROVAL, f"{case}: another session that asks is {found['other']!r}")
    count.check(found["after"] == NEEDS_APPROVAL, f"{case}: after a restart it is {found['after']!r}")
    is_told = case.place not in ITS_VOICE
    count.check(not is_told or found["own"] == NEEDS_APPROVAL, f"{case}: its own session asks and is {found['own']!r}")
    count.check(found["read"] < MOST_READ, f"{case}: the looks read {found['read']:,} bytes")
    return set(found["caught"])


def _endure(case: Case) -> dict[str, Any]:
    room, (one, other) = case.room, case.pids
    path, wall = places(room, one)[case.place], behind_a_wall()
    furnish(room, case.pids)
    look = Look(room)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    nasty.remove(path)
    nasty.THINGS[case.thing](path)
    was, begun = os.lstat(path).st_mode, bytes_read()
    look.at(path)
    look.watch.look_at_all()
    with suppress(OSError):  # as the hook does, which then says so in its log
        room.keep(asks(), one)
    is_there = os.path.lexists(path) and os.lstat(path).st_mode == was
    room.keep(asks(OTHER), other)
    look.at(room.fact_path(session=OTHER))
    shown = look.shows(OTHER)
    look.watch.look_at_all()
    found = {"is there": is_there or case.place in PUT_RIGHT, "other": shown, "own": look.shows()}
    return {**found, "after": Look(room).shows(OTHER), "read": bytes_read() - begun, "caught": wall.caught}
