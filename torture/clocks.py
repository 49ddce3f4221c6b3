"""Clocks that jump, and clients in pid and time namespaces of their own: every light is right all the same."""

from __future__ import annotations

import json
import os
import subprocess
import time
from typing import TYPE_CHECKING, Any

from bench.sleepers import Sleepers
from contract.facts import Stamp
from contract.status import NEEDS_APPROVAL, WAITING, WORKING
from recorder.receive import receive
from torture import means
from torture.apart import FellError, apart
from torture.looking import Look, behind_a_wall
from torture.result import Count, Result
from torture.room import PYTHON, asks, call, event
from watcher.clock import BOOT, Clock

if TYPE_CHECKING:
    from torture.dose import Dose
    from torture.room import Room

NAME = "clocks"
WHAT = "clock jumps, pid namespaces, time namespaces: every light is right"
HOUR, YEAR = 3600.0, 365 * 86400.0
CLOSE_S = 30.0  # less than the smallest jump, and longer than any look takes
ASK_TIME = "import time; print(time.clock_gettime(time.CLOCK_BOOTTIME))"
STEPS: tuple[tuple[dict[str, Any], str], ...] = (
    (event("UserPromptSubmit", prompt="x"), WORKING),
    (call("PreToolUse", "t0"), WORKING),
    (asks(), NEEDS_APPROVAL),
    (call("PostToolUse", "t0"), WORKING),
    (event("Stop", background_tasks=[]), WAITING),
    (event("UserPromptSubmit", prompt="y", prompt_id="p2"), WORKING),
)


def run(dose: Dose) -> Result:
    offsets = dose.pick((100_000,), (-100, 100, 100_000, 10_000_000))
    counts = [_jumps(dose), _pid_namespace(dose), *(_time_namespace(dose, offset) for offset in offsets)]
    return Result(NAME, tuple(one.tally() for one in counts))


class Jumping(Clock):
    """A wall clock that somebody sets."""

    def __init__(self) -> None:
        super().__init__()
        self._real, self.shift = self.offset, 0.0

    def tick(self) -> float:
        self.offset = self._real + self.shift
        return time.clock_gettime(BOOT)


def _jumps(dose: Dose) -> Count:
    """Before each step of a turn."""
    count = Count("the wall clock is set")
    shifts = dose.pick((-HOUR, YEAR), (-10 * YEAR, -86400.0, -HOUR, -60.0, 60.0, HOUR, 86400.0, 10 * YEAR))
    for shift, step in [(shift, step) for shift in shifts for step in range(len(STEPS))]:
        room = dose.room(f"clocks-{shift:+.0f}-{step}")
        try:
            jumped, wrong = apart(lambda room=room, shift=shift, step=step: _jump(room, shift, step))  # type: ignore[misc]
        except FellError as error:
            jumped, wrong = 0.0, [str(error)]
        count.blow(hit=abs(jumped - shift) < CLOSE_S, where=f"set by {shift:+.0f} s, it is {jumped:+.0f} s off")
        for words in wrong:
            count.lost(f"set by {shift:+.0f} s before step {step}: {words}")
        dose.progress(count)
    return count


def _jump(room: Room, shift: float, when: int) -> tuple[float, list[str]]:
    """How far the last event was off, and the lights that were wrong."""
    behind_a_wall()
    clock, wrong = Jumping(), []
    look = Look(room, clock)
    for number, (happened, wanted) in enumerate(STEPS):
        clock.shift = shift if number >= when else 0.0
        stamp = Stamp((round(time.time() + clock.shift, 6), round(time.clock_gettime(BOOT), 6)))
        receive(room.state, room.env(), json.dumps(happened).encode(), stamp)
        look.watch.look_at_all()
        if look.shows() != wanted:
            wrong.append(f"after {happened['hook_event_name']} it is {look.shows()!r}, not {wanted}")
    fact = room.fact()
    at = fact.last.at[0] if fact and fact.last and fact.last.at else 0.0
    return at - time.time(), wrong


def _pid_namespace(dose: Dose) -> Count:
    """A client in a container that shares the home: its pid means somebody else here, or nobody."""
    count = Count("events of a client in another pid namespace")
    way = means.unshare("--pid", "--fork", "--mount-proc")
    room = dose.room("clocks-pids")
    look = Look(room)
    mine = os.readlink("/proc/self/ns/pid")
    for happened, wanted in STEPS:
        done = room.hook(happened, way, env={"CLAUDE_PID": "1"})
        fact = room.fact()
        other = fact.client.pids if fact and fact.client else ""
        count.blow(hit=done.is_silent and other not in ("", mine), where=f"its pid namespace is {other!r}, {done}")
        for _ in range(3):
            look.watch.look_at_all()
        count.check(look.shows() == wanted, f"after {happened['hook_event_name']} it is {look.shows()!r}")
    return count


def _time_namespace(dose: Dose, offset: int) -> Count:
    """A client in a container whose clock since boot is another one."""
    count = Count(f"events of a client booted {offset:+,} s off")
    way = means.unshare("--time", "--fork", "--boottime", str(offset), "--monotonic", str(offset))
    room = dose.room(f"clocks-boot{offset}")
    look = Look(room)
    said = subprocess.run([*way, PYTHON, "-c", ASK_TIME], capture_output=True, check=True).stdout
    is_off = abs(float(said) - time.clock_gettime(BOOT) - offset) < CLOSE_S
    with Sleepers(1) as clients:
        for happened, wanted in STEPS:
            done = room.hook(happened, way, env={"CLAUDE_PID": str(clients.pids[0])})
            count.blow(hit=is_off and done.is_silent, where=f"its clock says {said!r}, {done}")
            look.watch.look_at_all()
            where = f"booted {offset:+,} s off, after {happened['hook_event_name']}"
            count.check(look.shows() == wanted, f"{where} it is {look.shows()!r}")
    return count
