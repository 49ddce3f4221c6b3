"""A thousand sessions and a hundred thousand registry files: one that asks is shown with the next look."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

from bench.sleepers import Sleepers
from contract.status import NEEDS_APPROVAL
from torture.clients import register
from torture.looking import Look
from torture.result import Count, Result
from torture.room import asks, contents, event

if TYPE_CHECKING:
    from torture.dose import Dose
    from torture.room import Room

NAME = "many"
WHAT = "1,000 sessions and 100,000 registry files: one that asks among them is shown with the next look"
GONE = 4_200_000  # above what a kernel gives


def run(dose: Dose) -> Result:
    sessions, files = dose.pick((100, 2_000), (1_000, 100_000))
    room = dose.room("many")
    by_event, by_registry = Count("one of many asks by an event"), Count("one of many asks in the registry")
    with Sleepers(sessions) as clients:
        names = [f"{number:08x}-0000-4000-8000-000000000000" for number in range(sessions)]
        for pid, name in zip(clients.pids, names, strict=True):
            room.keep(event("UserPromptSubmit", name, prompt="x"), pid)
            register(room, pid, name, "busy")
        _leave_entries(room, files)
        dose.say(f"{sessions} sessions and {files} files are there")
        look = Look(room)
        seen = sum(look.shows(name) != "" for name in names)
        by_event.check(seen == sessions, f"of {sessions} sessions {seen} are shown")
        for number in (0, sessions // 2, sessions - 1):
            _ask_by_event(room, look, names[number], clients.pids[number], by_event)
        for number in (1, sessions - 2):
            _ask_in_registry(room, look, names[number], clients.pids[number], by_registry)
        cpu = min(_seconds(look) for _ in range(3))
    remark = f"{sessions:,} sessions, {files:,} stale registry files: a poll takes {cpu * 1000:.0f} ms of CPU"
    return Result(NAME, (by_event.tally(), by_registry.tally()), remarks=(remark,))


def _ask_by_event(room: Room, look: Look, name: str, pid: int, count: Count) -> None:
    room.keep(asks(name), pid)
    fact = room.fact(session=name)
    count.blow(hit=bool(fact and fact.asks), where="the event was not kept")
    look.at(room.fact_path(session=name))
    count.check(look.shows(name) == NEEDS_APPROVAL, f"one that asks is {look.shows(name)!r}")


def _ask_in_registry(room: Room, look: Look, name: str, pid: int, count: Count) -> None:
    said = register(room, pid, name, "waiting", waitingFor="sandbox request")
    count.blow(hit=b"sandbox" in contents(said))
    look.watch.look_at_all()
    count.check(look.shows(name) == NEEDS_APPROVAL, f"one that asks in the registry is {look.shows(name)!r}")


def _leave_entries(room: Room, files: int) -> None:
    """Of clients that were killed."""
    for pid in range(GONE, GONE + files):
        entry = {"pid": pid, "sessionId": f"gone-{pid}", "cwd": "/x", "procStart": "1", "status": "busy"}
        with open(f"{room.config}/sessions/{pid}.json", "w", encoding="utf-8") as file:
            json.dump(entry, file)


def _seconds(look: Look) -> float:
    began = time.process_time()
    look.watch.look_at_all()
    return time.process_time() - began
