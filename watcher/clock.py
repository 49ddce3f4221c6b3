"""The two clocks: seconds since boot, which all evidence is put on, and the wall clock, which people read."""

from __future__ import annotations

import time

BOOT = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
DRIFT_S = 0.01


class Clock:
    """Holds the distance between the clocks still until it has really moved: no status changes by microseconds."""

    def __init__(self) -> None:
        self.offset = time.time() - time.clock_gettime(BOOT)

    def tick(self) -> float:
        """Now, in seconds since boot; takes notice of a wall clock that was set or has drifted."""
        now = time.clock_gettime(BOOT)
        offset = time.time() - now
        if abs(offset - self.offset) > DRIFT_S:
            self.offset = offset
        return now

    def wall(self, tick: float) -> float:
        return tick + self.offset
