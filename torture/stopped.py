"""Holders of a lock that are stopped: a hook gives up after its patience, and everybody else goes on."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING

from contract import paths, store
from torture.hooks import at_once, ended, until
from torture.result import Count, Result
from torture.room import PATIENCE_S, PYTHON, call, contents

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torture.dose import Dose
    from torture.room import Room

NAME = "stopped"
WHAT = "holders of a lock that are stopped: hooks give up after their patience and say so, all others go on"
HOLD = "import fcntl, os, sys, time; fd = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT, 0o600);"
HOLD += "fcntl.flock(fd, fcntl.LOCK_EX); print('held', flush=True); time.sleep(3600)"
ALL_THE_PATIENCE_S = 6 * store.PATIENCE_S + PATIENCE_S  # of a hook, on a machine that is busy


def run(dose: Dose) -> Result:
    behind, beside = Count("hooks behind a stopped holder"), Count("hooks beside it, and after it")
    for number in range(dose.pick(1, 3)):
        room = dose.room(f"stopped-{number}")
        room.hook(call("PreToolUse", "t0"))
        events = [call("PreToolUse", f"u{k}") for k in range(dose.pick(4, 16))]
        with stopped(room.fact_path() + ".lock") as holder, at_once(room, events) as waiting:
            _others_go_on(room, beside, waiting)
            _give_up(room, behind, waiting, holder)
        done = room.hook(call("PreToolUse", "t1"))
        beside.blow(hit=done.is_silent, where="after the holder was killed")
        beside.check(room.calls() == {"t0", "t1"}, f"after the holder was killed {room.calls()} is under way")
        dose.progress(behind)
    return Result(NAME, (behind.tally(), beside.tally(), _starting_lock(dose).tally()))


def _others_go_on(room: Room, count: Count, waiting: list[subprocess.Popen[bytes]]) -> None:
    """While those wait: by the order of things, not by a clock."""
    for agent in ("a1", "a2"):
        room.hook(call("PreToolUse", "x", agent_id=agent, agent_type="Explore"))
        count.blow(hit=any(one.poll() is None for one in waiting), where="those behind the holder do not wait")
        count.check(room.calls(agent) == {"x"}, "a hook of another agent is held up")


def _give_up(room: Room, count: Count, waiting: list[subprocess.Popen[bytes]], holder: int) -> None:
    for one in waiting:
        said = ended(one, ALL_THE_PATIENCE_S)
        count.blow(hit=_state(holder) == "T", where="the holder was not stopped")
        count.check((one.returncode, said) == (0, b""), f"a hook that gave up: exit {one.returncode}, {said!r}")
    count.check(room.log().count("Busy") == len(waiting), "a hook that gave up does not say so in its log")
    count.check(room.calls() == {"t0"}, "the fact changed while somebody else held it")


def _starting_lock(dose: Dose) -> Count:
    """Hooks that may start a watcher, while somebody who holds the lock of its start is stopped."""
    count = Count("events while the start of a watcher is stopped")
    room = dose.room("stopped-start")
    room.hook(call("PreToolUse", "t0"))
    with stopped(paths.starting_lock(room.state)) as holder:
        for k in range(4):
            done = room.hook(call("PreToolUse", f"u{k}"), env={"YOURTURN_NO_WATCHER": "0"})
            count.blow(hit=_state(holder) == "T", where="the holder was not stopped")
            count.check(done.is_silent and f"u{k}" in (room.calls() or ()), "an event is lost")
        count.check(not os.path.exists(paths.watcher_lock(room.state)), "a second watcher was started")
    return count


@contextmanager
def stopped(lock: str) -> Iterator[int]:
    with subprocess.Popen([PYTHON, "-S", "-E", "-c", HOLD, lock], stdout=subprocess.PIPE) as holder:
        try:
            assert holder.stdout
            assert holder.stdout.readline() == b"held\n"
            holder.send_signal(signal.SIGSTOP)
            until(lambda: _state(holder.pid) == "T", "the holder does not stop")
            yield holder.pid
        finally:
            holder.kill()


def _state(pid: int) -> str:
    return contents(f"/proc/{pid}/stat").decode("ascii", "replace").rpartition(")")[2].split()[0]
