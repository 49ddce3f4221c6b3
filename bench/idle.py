"""What the watcher takes while nothing happens."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from bench.crowd import Crowd
from bench.table import Budget, Row, Table
from bench.watching import Watching

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bench.place import Place

SESSIONS = 20
MOST_CPU, MOST_MB = 0.5, 40.0
SETTLE_S = 4.0  # what was just written is looked at twice


def measure(where: Place, seconds: float) -> Iterator[Table]:
    with Crowd(where, SESSIONS) as crowd, Watching(where) as watching:
        watching.wait_for(SESSIONS)
        time.sleep(min(SETTLE_S, seconds))
        at_rest = share(watching, seconds)
        memory = watching.seen.memory_info().rss / 1e6
        crowd.happens(crowd.sessions[0], "PermissionRequest", **_asked())
        time.sleep(min(SETTLE_S, seconds) / 2)
        asked = share(watching, seconds / 3)
    yield Table(
        f"The watcher with {SESSIONS} live sessions, nothing happening for {seconds:g} s",
        ("measured",),
        [
            Row("share of one core", (f"{at_rest:.2f} %",), (Budget(at_rest, MOST_CPU, "%", hard=False),)),
            Row("resident memory", (f"{memory:.1f} MB",), (Budget(memory, MOST_MB, "MB", hard=False),)),
            Row("share of one core while a Bash prompt is open", (f"{asked:.2f} %",)),
        ],
    )


def share(watching: Watching, seconds: float) -> float:
    """Percent of one core."""
    began, before = time.perf_counter(), watching.seen.cpu_times()
    time.sleep(seconds)
    after, took = watching.seen.cpu_times(), time.perf_counter() - began
    return (after.user + after.system - before.user - before.system) / took * 100


def _asked() -> dict[str, Any]:
    return {"tool_name": "Bash", "tool_input": {"command": "touch it"}, "permission_suggestions": []}
