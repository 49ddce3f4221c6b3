"""`yourturn dispatch` of trivial commands next to `xargs -P`."""

from __future__ import annotations

import os
import shutil
from functools import partial
from typing import TYPE_CHECKING

from bench import figure, place, race
from bench.budget import Budget
from bench.figure import Figure, Missing
from bench.words import command

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bench.dose import Dose
    from bench.place import Place
    from bench.race import Taken

TASKS, WORKERS, FAN = 200, 8, 10
ROUNDS = 5
QUIET = ("/bin/sh", "-c", 'exec "$@" 2>/dev/null', "sh")  # it tells its id
MOST_MS = 10.0  # of the processor for each task, beyond what xargs takes: what it costs to register, audit and note it
DISPATCH, XARGS, FANNED, NOTHING = "dispatch 200 x true", "xargs -P 8", "dispatch 10 x true", "dispatch of no task"


def figures(dose: Dose) -> Iterator[Figure | Missing]:
    if shutil.which("xargs") is None:
        yield Missing(DISPATCH, "there is no xargs to compare it with")
        return
    with place.folder() as path:
        taken = measure(place.Place(path), path, dose.rounds(ROUNDS))
    yield from told(taken)


def measure(where: Place, folder: str, rounds: int) -> dict[str, list[Taken]]:
    env = where.environment(YOURTURN_NO_WATCHER="1")
    many, few, none = (_tasks(folder, number) for number in (TASKS, FAN, 0))
    lines = {
        DISPATCH: ([*command(), "dispatch", many, "--workers", str(WORKERS)], os.devnull),
        FANNED: ([*command(), "dispatch", few, "--workers", str(FAN)], os.devnull),
        NOTHING: ([*command(), "dispatch", none], os.devnull),
        XARGS: (["xargs", "-P", str(WORKERS), "-n", "1", "true"], many),
    }
    contestants = {name: partial(race.run, [*QUIET, *argv], env, given) for name, (argv, given) in lines.items()}
    return race.interleaved(contestants, rounds)


def told(taken: Mapping[str, Sequence[Taken]]) -> Iterator[Figure]:
    walls = {name: figure.walls(many) for name, many in taken.items()}
    nothing = race.median(walls[NOTHING])
    yield figure.beside("dispatch.all", f"{DISPATCH}, {WORKERS} workers", walls[DISPATCH], XARGS, walls[XARGS])
    yield figure.of(
        "dispatch.task", "a task more, beyond xargs",
        [(wall - nothing - race.median(walls[XARGS])) / TASKS for wall in walls[DISPATCH]],
    )  # fmt: skip
    cpu = [(one.cpu - _cpu(taken[NOTHING]) - _cpu(taken[XARGS])) / TASKS for one in taken[DISPATCH]]
    budgets = (Budget(race.median(cpu), MOST_MS, "ms"),)
    yield figure.of("dispatch.cpu", "a task more, beyond xargs: CPU", cpu, budgets=budgets)
    fan = [wall - nothing for wall in walls[FANNED]]
    yield figure.of("dispatch.fan", f"{FANNED}, {FAN} workers, without the start of Python", fan)


def _cpu(taken: Sequence[Taken]) -> float:
    return race.median([one.cpu for one in taken])


def _tasks(folder: str, number: int) -> str:
    path = os.path.join(folder, f"tasks-{number}")
    with open(path, "w", encoding="utf-8") as file:
        file.write("true\n" * number)
    return path
