"""The watcher's own loop on a virtual clock: wakes, polls and rests as the daemon does, and is read after each look."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from contract import status
from processes.table import Probe
from simulator.observation import BOOT, NOON, Jump, Observation, Process, Restart
from watcher.clock import Clock
from watcher.daemon import COALESCE_S
from watcher.files.filewatch import HIGHEST
from watcher.loop import POLL_S, Watch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from contract.status import SessionStatus
    from simulator.disk import Disk
    from simulator.table import Table
    from simulator.visits import Visits


class VirtualClock(Clock):
    """Stands still until it is set."""

    def __init__(self) -> None:
        super().__init__()
        self.now, self.offset = BOOT, NOON - BOOT
        self.ahead = self.offset  # of the seconds since boot: as the wall clock was set

    def tick(self) -> float:
        self.notice(self.ahead, self.now)
        return self.now


class Shown(NamedTuple):
    """What is published from this second on."""

    at: float
    sessions: dict[str, SessionStatus]


class Watching:
    def __init__(self, disk: Disk, table: Table, visits: Visits) -> None:
        self._disk, self._table, self._visits = disk, table, visits
        self._clock = VirtualClock()
        self._files: dict[str, tuple[tuple[int, int], SessionStatus]] = {}
        self.shown: list[Shown] = [Shown(0.0, {})]
        self._start()

    def _start(self) -> None:
        env = {"HOME": os.path.dirname(self._disk.config)}
        self._watch = Watch(self._disk.home, env, clock=self._clock, probe=Probe(self._table))
        self._polled = float("-inf")
        self._watched: set[str] = set()

    def follow(self, seen: Sequence[Observation], end: float) -> None:
        """Play it all, and rest until the world has been quiet for a while."""
        self._turn(0.0, set())
        self.go_on(seen, 0.0, end)

    def go_on(self, seen: Sequence[Observation], now: float, end: float) -> None:
        """The same from this second on."""
        waiting = list(reversed(seen))
        while now < end:
            wake = now + self._watch.rest(self._clock.now)
            if waiting and waiting[-1].at <= wake:
                now = waiting[-1].at + COALESCE_S
                self._turn(now, self._take(waiting, now))
            else:
                now = max(wake, now + 0.001)
                self._turn(now, set())

    def _take(self, waiting: list[Observation], until: float) -> set[str]:
        """The files that changed and are watched."""
        changed = set()
        while waiting and waiting[-1].at <= until:
            for path in self._put(waiting.pop()):
                if os.path.dirname(path) in self._watched:
                    changed.add(path)
                elif made := self._made_below(path):
                    changed.add(made)
        return changed

    def _made_below(self, path: str) -> str | None:
        """For a folder that is not there yet the nearest above it is watched."""
        folder = os.path.dirname(path)
        for _ in range(HIGHEST):
            if os.path.dirname(folder) in self._watched and folder not in self._watched:
                return folder
            folder = os.path.dirname(folder)
        return None

    def _put(self, seen: Observation) -> tuple[str, ...]:
        if isinstance(seen, Restart):
            self._start()
        elif isinstance(seen, Jump):
            self._disk.shift += seen.seconds
            self._clock.ahead += seen.seconds
        elif isinstance(seen, Process) and not seen.is_alive and seen.pid in self._watch.clients():
            self._polled = float("-inf")  # the end of a client is heard of at once
        return self._disk.put(seen)

    def _turn(self, now: float, changed: set[str]) -> None:
        self._clock.now = BOOT + now
        self._visits.go_on(now)
        if now - self._polled >= POLL_S:
            self._polled = now
            self._watch.look_at_all()
        elif changed:
            self._watch.look_at(changed)
        else:
            self._watch.look_at_restless()
        self._schedule()
        self._read(now)

    def _schedule(self) -> None:
        """A folder that is watched from now on is looked at once more."""
        there = {_nearest(folder) for folder in self._watch.folders}
        if there - self._watched:
            self._watch.look_at_all()
        self._watched = there

    def _read(self, now: float) -> None:
        files = {}
        with os.scandir(f"{self._disk.home}/status") as entries:
            for entry in entries:
                if entry.name.endswith(".json"):
                    files[entry.name] = self._status(entry)
        if files != {name: self._files.get(name) for name in files} or len(files) != len(self._files):
            self._files = files
            listed = [session for _, session in files.values() if session.team or not session.hidden]
            self.shown.append(Shown(now, {_label(session): session for session in listed}))

    def _status(self, entry: os.DirEntry[str]) -> tuple[tuple[int, int], SessionStatus]:
        info = entry.stat()
        signature = (info.st_mtime_ns, info.st_ino)
        known = self._files.get(entry.name)
        if known and known[0] == signature:
            return known
        with open(entry.path, "rb") as file:
            decoded = status.decode(file.read())
        if decoded is None:
            raise ValueError(f"{entry.name} is no status")
        return signature, decoded


def _label(session: SessionStatus) -> str:
    """By process and session: the second process that has a session open is published under a name of its own."""
    return f"{session.pid} {session.session_id.removesuffix(f'-p{session.pid}')}"


def _nearest(folder: str) -> str:
    for _ in range(HIGHEST):
        if os.path.isdir(folder):
            break
        folder = os.path.dirname(folder)
    return folder
