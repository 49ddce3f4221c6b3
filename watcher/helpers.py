"""The children of a client that are no commands of its Bash tool: hooks, servers, helpers of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from watcher.proc import Proc

GONE_S = 1.0  # how long the client may take, after its hooks have ended, to say that a dialog is open


class Helpers:
    def __init__(self) -> None:
        self._seen: dict[tuple[int, str], tuple[float, float]] = {}  # when each began, and was last there

    def look(self, procs: Iterable[Proc], now: float) -> tuple[float, ...]:
        """When those began that are there, or were a moment ago: what they held back is shown only after them."""
        known = {key: seen for key, seen in self._seen.items() if now - seen[1] < GONE_S}
        self._seen = known | {(one.pid, one.start): (one.began, now) for one in procs}
        return tuple(sorted(began for began, _ in self._seen.values()))
