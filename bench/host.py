"""The watcher beside a host that lists its sessions only when asked, and beside none: its share of a core."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bench import figure, place, race
from bench.budget import Budget
from bench.place import PROJECT, Place
from bench.watching import Watching

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bench.dose import Dose
    from bench.figure import Figure

SESSIONS = 10
SLICES, SLICE_S = 6, 20.0  # in each of them it is asked once
SETTLE_S = 14.0
GRAIN = 0.05
MOST_CPU = 0.3
# Called as the client's daemon is: by that the watcher knows it.
CALLED = ("codex", "app-server")
CODE = """import sys
sys.path[:0] = {paths!r}
from support.codex_daemon import main
main({folder!r}, "{number}")
"""


def figures(dose: Dose) -> Iterator[Figure]:
    slices, slice_s = dose.rounds(SLICES), dose.seconds(SLICE_S)
    with place.folder() as path:
        beside, alone = measure(Place(f"{path}/host"), Place(f"{path}/none"), slices, slice_s)
    budget = Budget(race.median(beside), MOST_CPU, "%", hard=False)
    what = f"watcher beside a host of {SESSIONS} sessions at rest: of one core"
    base = race.median(alone)
    made = figure.of("host.cpu", what, beside, "%", grain=GRAIN)
    yield made._replace(against=f"none ({base:.2f} %)", ratio=made.middle / base if base else None, budgets=[budget])


def measure(where: Place, none: Place, slices: int, slice_s: float) -> tuple[list[float], list[float]]:
    """Percent of one core in each slice, of both in the same seconds."""
    with host(where), Watching(where) as beside, Watching(none) as alone:
        beside.wait_for(SESSIONS)
        time.sleep(min(SETTLE_S, slice_s))
        found = [_slice((beside, alone), slice_s) for _ in range(slices)]
    return [one[0] for one in found], [one[1] for one in found]


def _slice(watching: Sequence[Watching], seconds: float) -> list[float]:
    began, before = time.perf_counter(), [one.spent() for one in watching]
    time.sleep(seconds)
    took = time.perf_counter() - began
    return [(one.spent() - spent) / took * 100 for one, spent in zip(watching, before, strict=True)]


@contextmanager
def host(where: Place) -> Iterator[None]:
    code = CODE.format(paths=[PROJECT, f"{PROJECT}/tests"], folder=f"{where.path}/.codex", number=SESSIONS)
    _write(where, code)
    pipe = subprocess.PIPE
    called = subprocess.Popen(CALLED, executable=sys.executable, cwd=where.path, stdin=pipe, stdout=pipe)
    with called as process:
        if process.stdout is None or process.stdout.readline() != b"ready\n":
            raise SystemExit("bench: the host did not start")
        try:
            yield
        finally:
            process.communicate()


def _write(where: Place, code: str) -> None:
    os.makedirs(where.path, exist_ok=True)
    with open(f"{where.path}/{CALLED[1]}", "w", encoding="utf-8") as file:
        file.write(code)
