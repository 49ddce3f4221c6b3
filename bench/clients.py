"""What one hook costs each client, next to that of Claude Code: `python -m bench hook --client codex,qwen`."""

from __future__ import annotations

import json
import os
import sys
import time
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from bench import figure, place, race
from bench.budget import Budget
from bench.payloads import SESSION
from contract import facts, paths, store
from contract.clients import CLIENTS
from contract.facts import Stamp
from installer.hooks import program
from recorder.receive import receive
from watcher.clock import BOOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bench.dose import Dose
    from bench.figure import Figure
    from bench.place import Place
    from bench.race import Taken

MOST = 1.1
ROUNDS, EVENTS = 80, 40
CLAUDE = "claude"


def figures(dose: Dose) -> Iterator[Figure]:
    with place.folder() as path:
        taken = measure(place.Place(path), dose.clients or tuple(CLIENTS), dose.rounds(ROUNDS))
    walls = {name: figure.walls(many) for name, many in taken.items()}
    yield figure.of(f"hook.client.{CLAUDE}", f"a hook of {CLAUDE}", walls[CLAUDE])
    for name in sorted(walls.keys() - {CLAUDE}):
        ratio = race.median(walls[name]) / race.median(walls[CLAUDE])
        budgets = (Budget(ratio, MOST, hard=False),)
        yield figure.beside(
            f"hook.client.{name}", f"a hook of {name}", walls[name], CLAUDE, walls[CLAUDE], budgets=budgets
        )


def measure(where: Place, names: Sequence[str], rounds: int) -> dict[str, list[Taken]]:
    """Each client in a state folder of its own, with a session that has told of some calls."""
    runs, homes, locks = {}, {}, []
    found = program.find(sys.executable)
    for name in dict.fromkeys((CLAUDE, *names)):
        homes[name] = f"{where.path}/{name}"
        env = where.environment(CLAUDE_PID=str(os.getpid()), YOURTURN_HOME=homes[name])
        for number in range(EVENTS):
            stamp = Stamp((round(time.time(), 6), round(time.clock_gettime(BOOT), 6)))
            data = json.dumps(payload(name, number)).encode()
            receive(homes[name], {**env, "YOURTURN_NO_WATCHER": "1"}, data, stamp, name)
        # As long as we hold its lock, every hook believes that a watcher runs.
        locks.append(store.take(paths.watcher_lock(homes[name])))
        given = f"{where.path}/{name}.json"
        with open(given, "w", encoding="utf-8") as file:
            json.dump(payload(name, EVENTS), file)
        argv = [found.interpreter, "-S", "-E", found.script, name]
        runs[name] = partial(race.run, argv, env, given)
    before = {name: seen(home) for name, home in homes.items()}
    try:
        taken = race.interleaved(runs, rounds)
    finally:
        for lock in locks:
            os.close(lock or -1)
    for name, home in homes.items():
        assert seen(home) >= before[name] + rounds + 1, f"a hook of {name} left no trace"
    return taken


def seen(home: str) -> int:
    """How many events the fact has taken in."""
    fact = facts.decode(store.read(paths.fact(home, SESSION, paths.MAIN)) or b"")
    assert fact is not None
    return fact.seq


def payload(client: str, number: int) -> dict[str, Any]:
    told: dict[str, Any] = import_module(f"bench.payloads.{client}").payload(number)
    return told
