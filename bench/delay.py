"""How long it takes from an event to the status that tells of it."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import TYPE_CHECKING, Any

from bench import race
from bench.crowd import Crowd
from bench.place import PROJECT
from bench.table import Budget, Row, Table, ms
from bench.watching import Watching, wait
from contract import paths

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bench.place import Place

SESSIONS = 20
MEDIAN_MS, P95_MS = 50.0, 250.0
HOOK = [sys.executable, "-S", "-E", f"{PROJECT}/hook.py"]
# Never the same beat as the watcher's.
PAUSES = (0.011, 0.043, 0.097, 0.151)


def measure(where: Place, rounds: int) -> Iterator[Table]:
    with Crowd(where, SESSIONS) as crowd, Watching(where) as watching:
        watching.wait_for(SESSIONS)
        time.sleep(1)
        written = [_delay(crowd, k, lambda s, n: crowd.happens(s, n, **_more(n))) for k in range(rounds)]
        started = [_delay(crowd, k, lambda s, n: _by_hook(crowd, s, n)) for k in range(rounds)]
    yield Table(
        f"From an event to the status file, {rounds} changes among {SESSIONS} sessions",
        ("median", "p95", "worst"),
        [
            _row("from the fact written", written)._replace(budgets=budgets(written)),
            _row("from the hook started", started),
        ],
    )


def _row(name: str, taken: list[float]) -> Row:
    return Row(name, (ms(race.median(taken)), ms(race.p95(taken)), ms(max(taken))))


def budgets(taken: list[float]) -> tuple[Budget, ...]:
    """A goal, because on a busy machine anything may be late."""
    middle, late = race.median(taken), race.p95(taken)
    return Budget(middle, MEDIAN_MS, "ms", hard=False), Budget(late, P95_MS, "ms at p95", hard=False)


def _delay(crowd: Crowd, number: int, tell: Callable[[str, str], None]) -> float:
    """Each session in turn goes from work to rest and back."""
    session = crowd.sessions[number % SESSIONS]
    name = "Stop" if number // SESSIONS % 2 else "UserPromptSubmit"
    path = paths.status(crowd.where.state, session)
    time.sleep(PAUSES[number % len(PAUSES)])
    before = _mark(path)
    began = time.perf_counter()
    tell(session, name)
    wait(lambda: _mark(path) != before, f"no news of {name} came", 0.0005)
    return (time.perf_counter() - began) * 1000


def _mark(path: str) -> tuple[int, int]:
    there = os.stat(path)
    return there.st_ino, there.st_mtime_ns


def _more(name: str) -> dict[str, Any]:
    return {"background_tasks": [], "session_crons": []} if name == "Stop" else {"prompt": "please do it"}


def _by_hook(crowd: Crowd, session: str, name: str) -> None:
    path = f"{crowd.where.path}/event.json"
    with open(path, "w", encoding="utf-8") as file:
        json.dump(crowd.event(session, name, **_more(name)), file)
    race.run(HOOK, _environment(crowd, session), path)


def _environment(crowd: Crowd, session: str) -> dict[str, str]:
    return crowd.where.environment(CLAUDE_PID=str(crowd.pid(session)), YOURTURN_NO_WATCHER="1")
