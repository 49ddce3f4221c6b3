"""Hooks at once against as many bare Pythons at once, in turns: what a crowd costs beyond starting it."""

from __future__ import annotations

import json
import os
import sys
from functools import partial
from typing import TYPE_CHECKING

from bench import events, figure, growth, place, race
from contract import facts, paths, store
from installer.hooks import entries, program

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bench.dose import Dose
    from bench.figure import Figure
    from bench.place import Place

SIZES = {1: 40, 8: 20, 64: 8}  # how many at once, and how often
AGENTS = 8
SESSION = "9df7420c-3c33-4845-8b68-60c055e751a8"


def figures(dose: Dose) -> Iterator[Figure]:
    points = {}
    for size, often in SIZES.items():
        with place.folder() as path:
            ours, bare = measure(place.Place(path), size, dose.rounds(often))
        against = "bare Python" if size == 1 else f"{size} bare Pythons"
        yield figure.beside(f"hook.together.{size}", f"hooks at once: {size}", ours, against, bare)
        points[float(size)] = race.median(ours)
    yield from growth.figures("hook.together", "hooks at once", points)


def measure(where: Place, size: int, rounds: int) -> tuple[list[float], list[float]]:
    """Ours and bare ones. Each of ours must have left its event behind."""
    env = where.environment(CLAUDE_PID=str(os.getpid()))
    store.private_folder(where.state)
    watcher = store.take(paths.watcher_lock(where.state))
    assert watcher is not None
    found = program.find(sys.executable)
    python, payloads = [found.interpreter, "-S", "-E"], [_payload(where, k) for k in range(size)]
    ours = partial(race.run_together, [*python, found.script, entries.CLIENT], env, payloads)
    bare = partial(race.run_together, [*python, "-c", "pass"], env, payloads)
    try:
        taken = race.interleaved({"ours": ours, "bare": bare}, rounds)
    finally:
        os.close(watcher)
    assert kept(where) == size * (rounds + 1), "an event is lost"
    return taken["ours"], taken["bare"]


def kept(where: Place) -> int:
    """How many events all facts have taken in."""
    folder = paths.fact_dir(where.state)
    found = [facts.decode(store.read(f"{folder}/{name}") or b"") for name in store.names(folder)]
    return sum(fact.seq for fact in found if fact)


def _payload(where: Place, number: int) -> str:
    path = f"{where.path}/event-{number}.json"
    whose = {"agent_id": f"a{number % AGENTS}", "agent_type": "general-purpose"}
    with open(path, "w", encoding="utf-8") as file:
        json.dump(events.event(SESSION, "PreToolUse", **whose, **events.call(number)), file)
    return path
