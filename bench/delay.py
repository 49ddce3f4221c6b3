"""How long it takes from an event to the status that tells of it."""

from __future__ import annotations

import json
import os
import sys
import time
from functools import partial
from typing import TYPE_CHECKING, Any

from bench import figure, place, race
from bench.budget import Budget
from bench.crowd import Crowd
from bench.place import PROJECT
from bench.watching import Watching, wait
from contract import paths

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bench.dose import Dose
    from bench.figure import Figure
    from bench.place import Place

    Event = dict[str, Any]

SESSIONS = 20
ROUNDS = 100
MEDIAN_MS, P95_MS = 50.0, 250.0
HOOK = [sys.executable, "-S", "-E", f"{PROJECT}/hook.py", "claude"]
SETTLE_S = 1.0
# Never the same beat as the watcher's.
PAUSES = (0.011, 0.043, 0.097, 0.151)


def figures(dose: Dose) -> Iterator[Figure]:
    with place.folder() as path:
        written, started = measure(place.Place(path), dose.rounds(ROUNDS))
    what = f"to the status file, {SESSIONS} sessions:"
    yield figure.of("watcher.delay.fact", f"{what} from the fact written", written, budgets=budgets(written))
    against = "from the fact written"
    yield figure.beside("watcher.delay.hook", f"{what} from the hook started", started, against, written)


def measure(where: Place, rounds: int) -> tuple[list[float], list[float]]:
    """In turns: events that are kept in this process, and those that a hook keeps."""
    with Crowd(where, SESSIONS) as crowd, Watching(where) as watching:
        watching.wait_for(SESSIONS)
        time.sleep(SETTLE_S)
        ways: tuple[Callable[[str, Event], None], ...] = (partial(_here, crowd), partial(_by_hook, crowd))
        taken = [_delay(crowd, k, ways[k % 2]) for k in range(2 * rounds)]
    return taken[::2], taken[1::2]


def budgets(taken: list[float]) -> tuple[Budget, ...]:
    """A goal, because on a busy machine anything may be late."""
    middle, late = race.median(taken), race.p95(taken)
    return Budget(middle, MEDIAN_MS, "ms", hard=False), Budget(late, P95_MS, "ms at p95", hard=False)


def _delay(crowd: Crowd, number: int, tell: Callable[[str, Event], None]) -> float:
    """Each session in turn goes to work and back, each time in a turn of its own."""
    turn, session = divmod(number, SESSIONS)
    happens = _event(turn, ends=turn % 2 == 1)
    path = paths.status(crowd.where.state, crowd.sessions[session])
    time.sleep(PAUSES[number % len(PAUSES)])
    before = _mark(path)
    began = time.perf_counter()
    tell(crowd.sessions[session], happens)
    wait(lambda: _mark(path) != before, f"no news of {happens['name']} came", 0.0005)
    return (time.perf_counter() - began) * 1000


def _mark(path: str) -> tuple[int, int]:
    there = os.stat(path)
    return there.st_ino, there.st_mtime_ns


def _event(turn: int, *, ends: bool) -> Event:
    """A prompt, or the end of its turn. Each has an id of its own: an end with that of the one before is late."""
    more: Event = {"background_tasks": [], "session_crons": []} if ends else {"prompt": "please do it"}
    return {"name": "Stop" if ends else "UserPromptSubmit", "prompt_id": f"turn-{turn // 2}", **more}


def _here(crowd: Crowd, session: str, happens: Event) -> None:
    crowd.happens(session, **happens)


def _by_hook(crowd: Crowd, session: str, happens: Event) -> None:
    path = f"{crowd.where.path}/event.json"
    with open(path, "w", encoding="utf-8") as file:
        json.dump(crowd.event(session, **happens), file)
    race.run(HOOK, _environment(crowd, session), path)


def _environment(crowd: Crowd, session: str) -> dict[str, str]:
    return crowd.where.environment(CLAUDE_PID=str(crowd.pid(session)), YOURTURN_NO_WATCHER="1")
