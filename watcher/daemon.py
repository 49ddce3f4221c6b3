"""The watcher as a process: one at a time, woken by files and by the ends of clients, polling anyway."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from contract import collector_launch, launch, paths, pulse, status, store, version
from contract.clean import clean
from contract.content import content
from contract.observed import LAPSE, START
from processes.exits import Exits
from processes.identity import start_of
from watcher.files.filewatch import FILES, Wakeup
from watcher.loop import POLL_S

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from contract.status import Heartbeat
    from watcher.loop import Watch

log = logging.getLogger("yourturn")

COALESCE_S = 0.005  # one event of the client touches several files
BEAT_S = 10.0
IDLE_S = 60.0
POLLING_LIMIT = 200
PROGRAM = (sys.executable, launch.FRONT_DOOR)  # by which a plugin's hooks can start it again


@dataclass
class Daemon:
    watch: Watch
    until_idle: bool = False
    idle_s: float = IDLE_S
    is_in_place: Callable[[], bool] = lambda: True  # whether the state folder is still the one that it took
    predecessor: Heartbeat | None = None  # the last words of the watcher before it

    def __post_init__(self) -> None:
        self._over = False
        self._wakeup = Wakeup()
        self._is_told = False  # that a process has ended
        self._exits = Exits(self._hear_of_an_end)
        self._alive_at = self._beat_at = float("-inf")
        self._beat_wall: float | None = None
        self._started = time.time()
        self._code = _code()
        self._sharers: list[int] = []  # processes of ours
        self._renewed = False
        self._is_ousted = False
        self._looked = 0.0  # when the last look before it went to rest began
        self._passed_over: tuple[str, ...] | None = None  # the clients there were when it went to rest
        self.was_interrupted = False

    def run(self) -> bool:
        """Until it is asked to end; whether to start anew, because a newer version is installed."""
        signal.signal(signal.SIGTERM, self._asked_to_end)
        signal.signal(signal.SIGINT, self._asked_to_end)
        self._wakeup.start()
        self._exits.start()
        self._begin()
        try:
            while not self._over and self._is_still_in_place():
                self._turn()
                if self._wakeup.wait(self.watch.rest(self.watch.clock.tick())) and not self._over:
                    time.sleep(COALESCE_S)
        finally:
            self._exits.stop()
            self._wakeup.stop()
            if not self._is_ousted:
                self._say_last_words()
        return self._renewed

    def _begin(self) -> None:
        """Noted before the first look: who draws the day knows by it since when nobody watched."""
        last = self.predecessor
        rested = last is not None and last.mode == status.RESTING
        since = last.beat if last else 0.0
        self.watch.observations.watching(self.watch.clock.wall(self.watch.clock.tick()), since, START, rested=rested)

    def _is_still_in_place(self) -> bool:
        """Asked before each look: what is written after the folder was made anew would be in another one's way.

        A service comes back and takes its place; for others the next hook or front end starts a watcher.
        """
        if not self._is_ousted and not self.is_in_place():
            log.info("the state folder was removed, or made anew: this watcher ends")
            self._is_ousted, self._renewed = True, not self.until_idle
        return not self._is_ousted

    def _turn(self) -> None:
        now = self.watch.clock.tick()
        changed, everything = self._wakeup.take(now, POLL_S)
        if everything:
            is_told, self._is_told = self._is_told, False
            self.watch.look_at_all(is_told=is_told)
            self._wakeup.watch(self.watch.folders)
            self._keep_house(now)
        elif changed:
            before = self.watch.folders
            self.watch.look_at(changed)
            if self.watch.folders is not before:
                self._wakeup.watch(self.watch.folders)
            if made := [path for path in changed if not path.endswith(FILES)]:
                self._wakeup.made(made)
        else:
            self.watch.look_at_restless()
        self._exits.watch(self.watch.clients())

    def _keep_house(self, now: float) -> None:
        """Everything that is due now and then: the heartbeat, and whether to go on at all."""
        if now - self._beat_at >= BEAT_S:
            self._beat(now)
        if self.watch.is_needed() or self._alive_at == float("-inf"):
            self._alive_at = now
        if self.until_idle and now - self._alive_at >= self.idle_s:
            self._go_to_rest()
        if _code() not in (self._code, b""):
            log.info("another version is installed, starting it")
            self._renewed = True
            self._end()

    def _go_to_rest(self) -> None:
        """Unless somebody came at the last moment. The list is made before the look: who is on it was looked at."""
        self._looked = self.watch.clock.tick()
        clients = pulse.registered(os.environ)
        self.watch.look_at_all()
        if not self.watch.is_needed():
            log.info("no live session for %d s, going to sleep until the next hook", self.idle_s)
            self._passed_over = clients
            self._end()

    def _beat(self, now: float) -> None:
        self._notice_lapse(self.watch.clock.wall(now))
        self._share()
        self._write(now, "until-idle" if self.until_idle else "service")
        self._beat_at = now

    def _share(self) -> None:
        """On a machine that nobody looks at no front end would start the process that shares its states."""
        self._sharers = [pid for pid in self._sharers if not launch.has_ended(pid)]
        with contextlib.suppress(OSError):
            pid = collector_launch.share(self.watch.home, os.environ, time.time())
            self._sharers += [pid] if pid else []

    def _notice_lapse(self, wall: float) -> None:
        """The machine slept, the clock was set, or this process was stopped: nobody saw what went on meanwhile."""
        before, self._beat_wall = self._beat_wall, wall
        if before is not None and not 0 <= wall - before <= pulse.SILENT_S:
            self.watch.observations.watching(wall, min(before, wall), LAPSE)

    def _say_last_words(self) -> None:
        """Front ends tell by them whether nothing ran when it went, or nobody knows what runs now."""
        if self._passed_over is None:
            self._write(self.watch.clock.tick(), status.ENDED)
        else:
            self._write(self._looked, status.RESTING, self._passed_over)

    def _write(self, now: float, mode: str, clients: tuple[str, ...] = ()) -> None:
        pid, wall = os.getpid(), self.watch.clock.wall(now)
        start, polling = start_of(pid) or "", clean(self._wakeup.polling, POLLING_LIMIT)
        beat = status.Heartbeat(pid, start, version.VERSION, wall, self._started, mode, clients, PROGRAM, polling)
        try:
            store.replace(paths.heartbeat(self.watch.home), status.encode(beat))
        except OSError as error:
            log.warning("heartbeat: %s", error)

    def _asked_to_end(self, number: int, _frame: FrameType | None) -> None:
        if self._over:
            os._exit(1)  # asked twice: at once
        self.was_interrupted = number == signal.SIGINT
        self._end()

    def _hear_of_an_end(self) -> None:
        self._is_told = True
        self._wakeup.poll()

    def _end(self) -> None:
        self._over = True
        self._wakeup.now()


def _code() -> bytes:
    """The version as it lies on disk now; b'' in the middle of an upgrade."""
    return content(version.__file__)
