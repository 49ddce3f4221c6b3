"""How long programs on this machine had to wait for a processor, as the kernel counts it.

Nobody can be asked to answer in such time: without this, a verdict would be late because others were at work.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

SOURCE = "/proc/pressure/cpu"
TOTAL = re.compile(r"^some .*total=(\d+)", re.MULTILINE)


class Seen(NamedTuple):
    at: float
    total: float  # seconds since the machine was started


class Stalls:
    """Where the kernel says nothing, nobody ever waits."""

    def __init__(self, source: str = SOURCE) -> None:
        self._source = source
        self._seen: list[Seen] = []

    def look(self, now: float) -> None:
        try:
            with open(self._source, encoding="ascii") as file:
                found = TOTAL.search(file.read())
        except OSError:
            return
        if found:
            self._seen.append(Seen(now, int(found[1]) / 1e6))

    def between(self, begin: float, end: float) -> float:
        return max(0.0, self._total(end) - self._total(begin))

    def _total(self, at: float) -> float:
        """As it was seen last by then; at first sight, if that came later."""
        if not self._seen:
            return 0.0
        return self._seen[max(0, bisect_right(self._seen, at, key=lambda seen: seen.at) - 1)].total
