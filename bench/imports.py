"""Where the time of a start goes: what Python says of each import, folded to the most expensive ones."""

from __future__ import annotations

import statistics
import subprocess
from typing import TYPE_CHECKING

from bench import table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ROUNDS, SHOWN = 20, 12
HEAD = ("module", "ms")


def lines(argv: Sequence[str], bare: Sequence[str], env: Mapping[str, str], given: str) -> list[str]:
    """What the program imports that a bare start does not."""
    own, others = _medians(argv, env, given), _medians(bare, env, given)
    found = sorted(((taken, name) for name, taken in own.items() if name not in others), reverse=True)
    rest = sum(taken for taken, _ in found[SHOWN:])
    rows = [(name, f"{taken / 1000:.2f}") for taken, name in found[:SHOWN]]
    rows += [(f"{len(found) - SHOWN} more", f"{rest / 1000:.2f}")] if rest else []
    total = sum(taken for taken, _ in found) / 1000
    return [f"What a hook imports beyond a bare start: {total:.2f} ms", *table.draw(HEAD, rows, HEAD[:1])]


def _medians(argv: Sequence[str], env: Mapping[str, str], given: str) -> dict[str, float]:
    """Microseconds of each module by itself."""
    runs = [_run(argv, env, given) for _ in range(ROUNDS)]
    return {name: statistics.median(run.get(name, 0.0) for run in runs) for name in runs[-1]}


def _run(argv: Sequence[str], env: Mapping[str, str], given: str) -> dict[str, float]:
    with open(given, "rb") as file:
        whole = [argv[0], "-X", "importtime", *argv[1:]]
        done = subprocess.run(whole, stdin=file, capture_output=True, text=True, env=env, check=True)
    return parse(done.stderr)


def parse(told: str) -> dict[str, float]:
    """Of `-X importtime`: `import time: self | cumulative | name`."""
    found = [line.removeprefix("import time:").split("|") for line in told.splitlines() if line.count("|") > 1]
    return {name.strip(): float(own) for own, _, name in found if own.strip().isdigit()}
