"""Many hooks at once on a busy machine, against the same events one after the other."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from contract import paths
from contract.facts import Stamp
from contract.status import NEEDS_APPROVAL
from recorder import changes
from recorder.clients import claude
from torture.hooks import at_once, ended, until
from torture.looking import shown
from torture.result import Count, Result
from torture.room import PROJECT, SESSION, asks, call

if TYPE_CHECKING:
    from collections.abc import Sequence

    from contract.facts import Fact
    from torture.dose import Dose
    from torture.room import Room

NAME = "parallel"
WHAT = "64 hooks at once over 8 agents, the watcher killed every second, on a busy machine: no event is lost"
AGENTS = 8
BETWEEN_KILLS_S = 1.0
SPIN = "import os, threading\nend = lambda: (os.read(0, 1), os._exit(0))\n"
SPIN += "threading.Thread(target=end, daemon=True).start()\nwhile True: pass"

Event = dict[str, Any]


class Kept(NamedTuple):
    """What a fact tells of the events it took in, whatever their order within a round was."""

    events: int
    under_way: frozenset[str]
    ended: frozenset[str]


def run(dose: Dose) -> Result:
    count, kills = Count("events of hooks at once"), Count("watchers killed meanwhile")
    hooks, rounds, times, load = dose.pick((16, 3, 1, 2), (64, 20, 10, 30))
    for number in range(times):
        room = dose.room(f"parallel-{number}")
        told = [_round(k, hooks) for k in range(rounds)]
        with Load(load), Killed(room, kills):
            for k, events in enumerate(told):
                _at_once(room, events, count)
                dose.say(f"time {number + 1} of {times}, round {k + 1} of {rounds}; {count}")
        _compare(room, [one for events in told for one in events], count)
    return Result(NAME, (count.tally(), kills.tally(), _shown_after_all(dose).tally()))


def _round(number: int, hooks: int) -> list[Event]:
    """Calls begin, and those of the round before end."""
    begun = [_event("PreToolUse", number, k) for k in range(0, hooks, 2)]
    return begun + [_event("PostToolUse", number - 1, k) for k in range(0, hooks, 2) if number]


def _event(name: str, number: int, k: int) -> Event:
    return call(name, f"t{number}-{k}", agent_id=f"a{k // 2 % AGENTS}", agent_type="general-purpose")


def _at_once(room: Room, events: list[Event], count: Count) -> None:
    with at_once(room, events) as running:
        for one in running:
            said = ended(one)
            count.blow(hit=(one.returncode, said) == (0, b""), where=f"exit {one.returncode}, {said!r}")


def _compare(room: Room, events: list[Event], count: Count) -> None:
    wanted: dict[str, Fact | None] = {}
    for k, one in enumerate(events):
        agent = one["agent_id"]
        (change,) = claude.translate(one)
        wanted[agent] = changes.record(wanted.get(agent), change, Stamp((1000.0 + k, 1000.0 + k))) or wanted.get(agent)
    for agent, fact in wanted.items():
        assert fact
        found = room.fact(agent)
        for _ in range(fact.seq - (found.seq if found else 0)):
            count.lost(f"{agent}: an event is lost; the log says {room.log()[-300:]!r}")
        count.check(found and _kept(found) == _kept(fact), f"{agent}: {found and _kept(found)}, not {_kept(fact)}")


def _kept(fact: Fact) -> Kept:
    return Kept(fact.seq, frozenset(fact.calls), frozenset(fact.done))


class Load:
    """So many processes that do nothing but work; whatever becomes of us, they end with a pipe that only we hold."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        theirs, ours = os.pipe()
        self._stack.callback(os.close, ours)
        for _ in range(self._number):
            one = subprocess.Popen([sys.executable, "-S", "-E", "-c", SPIN], stdin=theirs)
            self._stack.callback(one.wait)
            self._stack.callback(one.kill)
        os.close(theirs)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()


class Killed:
    """A real watcher that is killed every second, and started again each time."""

    def __init__(self, room: Room, count: Count) -> None:
        self._room, self._count = room, count
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._go_on)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _go_on(self) -> None:
        is_over = False
        while not is_over:
            watcher = watching(self._room)
            is_over = self._over.wait(BETWEEN_KILLS_S)
            is_alive = watcher.poll() is None
            watcher.kill()
            watcher.wait()
            self._count.blow(hit=is_alive, where=f"a watcher that ended by itself, exit {watcher.returncode}")


def watching(room: Room, around: Sequence[str] = ()) -> subprocess.Popen[bytes]:
    """A real watcher; who starts it ends it."""
    argv = [*around, sys.executable, "-E", f"{PROJECT}/yourturn.py", "watch"]
    null = subprocess.DEVNULL
    return subprocess.Popen(argv, env=room.env(), cwd=room.path, stdin=null, stdout=null, stderr=null)


def _shown_after_all(dose: Dose) -> Count:
    """A watcher that comes after one that was killed shows who asks."""
    count = Count("the next watcher shows who asks")
    room = dose.room("parallel-after")
    room.hook(asks())
    for _ in range(2):
        watcher = watching(room)
        try:
            until(lambda: shown(room) == NEEDS_APPROVAL, "it is not shown")
        except TimeoutError as error:
            count.lost(f"{error}: the light is {shown(room)!r}")
        finally:
            watcher.kill()
            watcher.wait()
        count.blow(hit=watcher.returncode < 0, where="it ended by itself")
        os.unlink(paths.status(room.state, SESSION))
    return count
