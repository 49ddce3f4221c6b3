"""Where the time of a hook goes: what each of its modules costs if Python looks for it, and what the bundle spares."""

from __future__ import annotations

import statistics
import subprocess
from functools import partial
from typing import TYPE_CHECKING

from bench import race, table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Argvs = Mapping[str, list[str]]

ROUNDS, SHOWN = 20, 12
HEAD = ("module", "ms")


def lines(bare: list[str], bundled: list[str], looked_for: list[str], env: Mapping[str, str], given: str) -> list[str]:
    """Three ways to start: with nothing, with the bundle, and by looking for each module."""
    own, others = _medians(looked_for, env, given), _medians(bare, env, given)
    found = {name: taken for name, taken in own.items() if name not in others}
    argvs = {"bare Python": bare, "the hook": bundled, "the hook without its bundle": looked_for}
    return [*folded(found), "", *_whole(argvs, env, given)]


def folded(found: Mapping[str, float]) -> list[str]:
    """The most expensive ones, and the sum of the others. Microseconds come in, milliseconds go out."""
    order = sorted(((taken, name) for name, taken in found.items()), reverse=True)
    rows = [(name, _ms(taken)) for taken, name in order[:SHOWN]]
    if order[SHOWN:]:
        rows.append((f"{len(order) - SHOWN} more", _ms(sum(taken for taken, _ in order[SHOWN:]))))
    title = f"What a hook imports beyond a bare start, if Python looks for it: {_ms(sum(found.values()))} ms"
    return [title, *table.draw(HEAD, rows, HEAD[:1])]


def _whole(argvs: Argvs, env: Mapping[str, str], given: str) -> list[str]:
    taken = race.interleaved({name: partial(race.run, argv, env, given) for name, argv in argvs.items()}, ROUNDS)
    rows = [
        (name, f"{race.median([one.wall for one in many]):.2f}", f"{race.median([one.cpu for one in many]):.2f}")
        for name, many in taken.items()
    ]
    return table.draw(("from start to end", "ms", "of a core"), rows, ("from start to end",))


def _ms(taken: float) -> str:
    return f"{taken / 1000:.2f}"


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
