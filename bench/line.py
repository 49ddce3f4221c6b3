"""The one line for status bars: from a status file replaced to the line that `yourturn line --follow` writes."""

from __future__ import annotations

import select
import subprocess
import time
from typing import IO, TYPE_CHECKING

from bench import place, race
from bench.place import OURS, Place
from bench.screen import MANY, MOST_MS, PATIENCE_S, PAUSE_S, QUIET, Watched, late, session
from contract.status import NEEDS_APPROVAL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bench.dose import Dose
    from bench.figure import Figure

ROUNDS = 40


def figures(dose: Dose) -> Iterator[Figure]:
    for number in (QUIET, MANY):
        with place.folder() as path, Watched(Place(path), number) as where:
            taken = delays(where, dose.rounds(ROUNDS))
        yield late(f"screen.line.{number}", f"status file to the line, {number} sessions", taken, MOST_MS)


def delays(where: Watched, rounds: int) -> list[float]:
    argv = [*OURS, "line", "--follow"]
    with subprocess.Popen(argv, env=where.environment(), stdout=subprocess.PIPE, bufsize=0) as process:
        assert process.stdout
        try:
            _until(process.stdout, b"")
            return [_delay(where, process.stdout, k) for k in range(rounds + 1)][1:]
        finally:
            process.terminate()


def _delay(where: Watched, out: IO[bytes], number: int) -> float:
    """A session asks for something it has never asked for before."""
    changed = session(0, NEEDS_APPROVAL, f"Bash: step {number}")
    time.sleep(PAUSE_S)
    began = time.perf_counter()
    where.put(changed)
    _until(out, changed.detail.encode())
    taken = (time.perf_counter() - began) * race.MS
    where.beat()
    return taken


def _until(out: IO[bytes], words: bytes) -> None:
    while True:
        assert select.select([out], (), (), PATIENCE_S)[0], "the line stayed as it was"
        said = out.read(1 << 16)
        assert said, "the line has ended"
        if words in said:
            return
