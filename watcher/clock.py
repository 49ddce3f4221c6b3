"""The two clocks: seconds since boot, which all evidence is put on, and the wall clock, which people read."""

from __future__ import annotations

import time
from typing import NamedTuple

BOOT = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
DRIFT_S = 0.01
SKEW_S = 1.0  # a wall clock that moves by less was corrected, one that moves by more was set
KEPT = 4


class Span(NamedTuple):
    """A stretch of time in which the wall clock was so far ahead of the seconds since boot."""

    offset: float
    begin: float
    end: float

    def has(self, wall: float, skew: float = 0.0) -> bool:
        return self.begin - skew <= wall - self.offset <= self.end + skew


class Clock:
    """Holds the distance between the clocks still until it has really moved: no status changes by microseconds.

    Remembers what it was before: the client dates its lines with the wall clock, and a line that was written before
    somebody set that clock is often read after it.
    """

    def __init__(self) -> None:
        self.offset = time.time() - time.clock_gettime(BOOT)
        self._ticked = self._begin = float("-inf")
        self._earlier: list[Span] = []

    def tick(self) -> float:
        """Now, in seconds since boot; takes notice of a wall clock that was set or has drifted."""
        now = time.clock_gettime(BOOT)
        self.notice(time.time() - now, now)
        return now

    def notice(self, offset: float, now: float) -> None:
        """The distance between the clocks at this moment."""
        if abs(offset - self.offset) > SKEW_S:
            self._earlier = [*self._earlier, Span(self.offset, self._begin, now)][-KEPT:]
            self._begin = self._ticked
        if abs(offset - self.offset) > DRIFT_S:
            self.offset = offset
        self._ticked = now

    def wall(self, tick: float) -> float:
        return tick + self.offset

    def since_boot(self, wall: float, now: float) -> float:
        """When the client said that it was this time; later than now if no clock that we know of can have said so."""
        spans = [Span(self.offset, self._begin, now), *reversed(self._earlier)]
        told_in = [span.offset for skew in (0.0, SKEW_S) for span in spans if span.has(wall, skew)]
        return wall - next(iter(told_in), self.offset)


def dated(at: float, now: float, *, is_new: bool) -> float:
    """When a line was written that says so. None is of the future: the clock was set back, or nobody knows when.

    `is_new`: before we began to watch.
    """
    if at <= now + SKEW_S:
        return at
    return 0.0 if is_new else now
