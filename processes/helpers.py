"""The children of a client that are no commands of its Bash tool: hooks, servers, helpers of its own."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from processes.process import Proc

GONE_S = 1.0  # how long the client may take, after its hooks have ended, to say that a dialog is open
MOST = 64  # as many that are gone are remembered


class Helper(NamedTuple):
    began: float
    until: float = math.inf  # what it held back is shown by then


class Helpers:
    def __init__(self) -> None:
        self._there: dict[tuple[int, str], tuple[float, float]] = {}  # when each began, and was last seen
        self._gone: tuple[Helper, ...] = ()

    def look(self, procs: Iterable[Proc], now: float) -> tuple[Helper, ...]:
        """Those that are there, and those that were."""
        there = {(one.pid, one.start): (one.began, now) for one in procs}
        gone = [Helper(began, seen + GONE_S) for key, (began, seen) in self._there.items() if key not in there]
        self._there, self._gone = there, (*self._gone, *sorted(gone))[-MOST:]
        return (*self._gone, *sorted(Helper(began) for began, _ in there.values()))
