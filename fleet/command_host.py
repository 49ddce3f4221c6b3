"""One host that a command reaches: calls it, keeps its mirror up to date, and calls again when the connection ends."""

from __future__ import annotations

import json
import logging
import random
import threading
import time
from typing import TYPE_CHECKING, Any

from contract import fault, paths, store
from fleet import incoming, reached_by
from fleet.host_connection import BEAT_S, SILENT_S, End, HostConnection
from fleet.mirror import Mirror

if TYPE_CHECKING:
    from collections.abc import Callable

    from fleet.sources import Source
    from fleet.topics import Place

log = logging.getLogger("yourturn")

FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 60.0
WRONG_USAGE = 2
# A hostile line makes many small objects, of which there are so many at once however many hosts send one.
READING = threading.Lock()
NOT_THERE = "yourturn was not found there: install it there, or with `hosts add {} --install`"


class CommandHost(threading.Thread):
    def __init__(self, home: str, source: Source, clock: Callable[[], float] = time.time) -> None:
        super().__init__(name=f"host {source.name}", daemon=True)
        self.source = source
        self.own: Place | None = None  # this and the next are for machines that a broker tells of
        self.reserved: frozenset[str] = frozenset()
        self._home, self._clock = home, clock
        self._mirror = Mirror(home, source.name, source.command, clock())
        self._over = threading.Event()
        self._programs = [source.program] if source.program else [*reached_by.PROGRAMS]
        self._spoke: float | None = None  # when it first did in this call

    def stop(self) -> None:
        """It ends within a second or two; its folder stays."""
        self._over.set()

    def remove(self) -> None:
        """After its end."""
        self._mirror.remove()

    def run(self) -> None:
        pause_s = FIRST_PAUSE_S
        while not self._over.is_set():
            self._spoke = None
            try:
                end = self._call()
            except OSError as error:
                end = End(None, f"its states cannot be kept here: {error.strerror or error}")
            except Exception as error:
                end = End(None, f"the collector failed: {fault.words(error)}")
            if self._over.is_set():
                return
            # One that speaks and breaks off again and again is called as seldom as one that never answers.
            pause_s = FIRST_PAUSE_S if self._has_stood(LONGEST_PAUSE_S) else pause_s
            log.info("%s: %s", self.source.name, end.why)
            self._is_out_of_reach(end.why)
            # Some at random: machines that went together must not all come back at one moment.
            self._over.wait(pause_s * random.uniform(0.75, 1.25))  # noqa: S311 - no secret
            self._is_out_of_reach(end.why)  # its rows are forgotten after a while, however seldom it is called
            pause_s = min(pause_s * 2, LONGEST_PAUSE_S)

    def _call(self) -> End:
        """One call, with the first way to call yourturn there that works."""
        for program in list(self._programs):
            end = self._follow(program, BEAT_S)
            if end.code == WRONG_USAGE and reached_by.does_not_know("--beat", end.why):
                end = self._follow(program, None)
            if self._spoke is not None:
                self._programs = sorted(self._programs, key=lambda other: other != program)  # it is tried first
                return end
            if end.code not in reached_by.NOT_FOUND:
                return end
        return end._replace(why=f"{NOT_THERE.format(self.source.name)} ({end.why})")

    def _follow(self, program: str, beat_s: float | None) -> End:
        """An older version has no beat: then silence says nothing."""
        argv = reached_by.argv(self.source.words, program, beat_s)
        return HostConnection(argv, SILENT_S if beat_s else None).follow(self._hear, lambda: not self._over.is_set())

    def _hear(self, line: bytes) -> bool:
        """Whether it is a line of ours."""
        with READING:
            raw, now = _object(line), self._clock()
            if raw is None:
                return False
            self._spoke = self._spoke or time.monotonic()
            ahead_s = incoming.ahead(raw.get("now"), now, self._mirror.ahead_s)
            report = incoming.report(raw, ahead_s, now) if "sessions" in raw else None
            del raw
        if report:
            self._mirror.says(report, ahead_s, now)
        return True

    def _has_stood(self, seconds: float) -> bool:
        return self._spoke is not None and time.monotonic() - self._spoke >= seconds

    def _is_out_of_reach(self, why: str) -> None:
        """Until that is written down: a full disk must not keep the last states on the board as if they were true."""
        while not self._over.is_set():
            try:
                self._mirror.goes_out_of_reach(why, self._clock())
            except OSError as error:
                log.warning("%s: %s", self.source.name, error)
                # To take it back needs no room: without a heartbeat front ends believe nothing that is written here.
                store.remove(paths.collector(self._home))
                self._over.wait(FIRST_PAUSE_S)
            else:
                return


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        raw = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return raw if isinstance(raw, dict) and type(raw.get("v")) is int else None
