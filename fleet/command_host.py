"""One host that a command reaches: calls it, keeps its mirror up to date, and calls again when the line ends."""

from __future__ import annotations

import json
import logging
import random
import threading
import time
from typing import TYPE_CHECKING, Any

from contract import fault
from fleet import reached_by, told
from fleet.line import BEAT_S, SILENT_S, End, Line
from fleet.mirror import Mirror

if TYPE_CHECKING:
    from collections.abc import Callable

    from fleet.sources import Source

log = logging.getLogger("yourturn")

FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 60.0
NOT_THERE = "yourturn was not found there: install it there, or with `hosts add {} --install`"


class CommandHost(threading.Thread):
    def __init__(self, home: str, source: Source, clock: Callable[[], float] = time.time) -> None:
        super().__init__(name=f"host {source.name}", daemon=True)
        self.source = source
        self._clock = clock
        self._mirror = Mirror(home, source.name, source.command, clock())
        self._over = threading.Event()
        self._programs = [source.program] if source.program else [*reached_by.PROGRAMS]
        self._has_beat = True
        self._has_spoken = False

    def stop(self) -> None:
        """It ends within a second or two; its folder stays."""
        self._over.set()

    def remove(self) -> None:
        """After its end."""
        self._mirror.remove()

    def run(self) -> None:
        pause_s = FIRST_PAUSE_S
        while not self._over.is_set():
            try:
                end = self._call()
            except Exception as error:
                end = End(None, f"the collector failed: {fault.words(error)}")
            if self._over.is_set():
                return
            pause_s = FIRST_PAUSE_S if self._has_spoken else pause_s
            self._is_out_of_reach(end)
            # Some at random: machines that went together must not all come back at one moment.
            self._rest(pause_s * random.uniform(0.75, 1.25))  # noqa: S311 - no secret
            pause_s = min(pause_s * 2, LONGEST_PAUSE_S)

    def _call(self) -> End:
        """One call, with the first way to call yourturn there that works."""
        self._has_spoken = False
        for program in list(self._programs):
            end = self._follow(program)
            if end.code == 2 and self._has_beat and reached_by.does_not_know("--beat", end.why):  # noqa: PLR2004
                self._has_beat = False
                end = self._follow(program)
            if self._has_spoken:
                self._programs = [program]
            if self._has_spoken or end.code not in reached_by.NOT_FOUND:
                return end
        return end._replace(why=f"{NOT_THERE.format(self.source.name)} ({end.why})")

    def _follow(self, program: str) -> End:
        argv = reached_by.argv(self.source.words, program, BEAT_S if self._has_beat else None)
        return Line(argv, SILENT_S if self._has_beat else None).follow(self._hear, lambda: not self._over.is_set())

    def _hear(self, line: bytes) -> bool:
        """Whether it is a line of ours."""
        raw, now = _object(line), self._clock()
        if raw is None:
            return False
        self._has_spoken = True
        ahead_s = told.ahead(raw.get("now"), now, self._mirror.ahead_s)
        if "sessions" in raw:
            self._mirror.says(told.report(raw, ahead_s, now), ahead_s, now)
        return True

    def _is_out_of_reach(self, end: End) -> None:
        log.info("%s: %s", self.source.name, end.why)
        self._mirror.goes_out_of_reach(end.why, self._clock())

    def _rest(self, seconds: float) -> None:
        """Its rows are forgotten after a while, however seldom it is called."""
        self._over.wait(seconds)
        if not self._over.is_set():
            self._mirror.goes_out_of_reach(self._mirror.host.why, self._clock())


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        raw = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return raw if isinstance(raw, dict) and type(raw.get("v")) is int else None
