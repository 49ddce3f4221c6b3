"""One movement of the wheel, or of two fingers: a panel reports it as many events."""

from __future__ import annotations

import math

PAUSE_S = 0.4  # without an event: the next one begins another gesture


class Gesture:
    def __init__(self) -> None:
        self._last = -math.inf

    def begins(self, now: float) -> bool:
        """To be asked at each event."""
        before, self._last = self._last, now
        return now - before >= PAUSE_S
