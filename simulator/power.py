"""`python -m simulator.power`: after how many programs each broken law is found.

Every program is played once as it is, beside which every broken place is tried with the questions that the real one
is asked. Only if it would have answered differently is the program played again with it.
"""

from __future__ import annotations

import argparse
import sys
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from simulator.generate import generate
from simulator.judgement import judge
from simulator.mutant import Scout
from simulator.mutants import mutants
from simulator.survivors import SURVIVORS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from concurrent.futures import Future

    from simulator.program import Program

PROGRAMS = 5000
PLAYS = 500
CHUNK = 5


@dataclass
class Tally:
    after: int | None = None  # programs; None: it survived
    met: int = 0  # programs in which it made a difference to an answer, up to then
    programs: int = 0  # that it has been through


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="simulator.power", description=__doc__)
    parser.add_argument("--programs", type=int, default=PROGRAMS, metavar="N", help="how many each may survive")
    parser.add_argument("--plays", type=int, default=PLAYS, metavar="P", help="after how many it is given up")
    parser.add_argument("--only", default="", metavar="WORDS", help="the broken laws with these words in their names")
    parser.add_argument("--workers", type=int, default=2, metavar="W")
    args = parser.parse_args(words)
    names = [name for name in mutants() if args.only in name]
    if not names:
        parser.error(f"no broken law is called {args.only!r}")
    survived = []
    for name, tally in hunt(names, args.programs, args.plays, args.workers):
        print(_row(name, tally), flush=True)
        survived += [name] if tally.after is None else []
    unexplained = [name for name in survived if name not in SURVIVORS]
    print(f"\n{len(names)} broken laws, {len(names) - len(survived)} found, {len(survived)} survived", end="")
    print(f", {len(unexplained)} of them without a reason in simulator/survivors.py" if unexplained else "")
    return 1 if unexplained else 0


def _row(name: str, tally: Tally) -> str:
    """How long it lived, how often it was played, what it is, why it survived."""
    if tally.after is not None:
        return f"{f'after {tally.after}':>15}  {tally.met:6}  {name}"
    return f"{f'survived {tally.programs}':>15}  {tally.met:6}  {name}: {SURVIVORS.get(name, 'NO REASON KNOWN')}"


def hunt(names: Sequence[str], programs: int, plays: int = PLAYS, workers: int = 1) -> Iterator[tuple[str, Tally]]:
    """All of them through the same programs; each is told when it is found or given up, the others at the end."""
    left = {name: Tally() for name in names}
    with ProcessPoolExecutor(workers) as pool:
        waiting: deque[Future[dict[str, Tally]]] = deque()
        for seeds in _chunks(programs):
            if not left:
                break
            waiting.append(pool.submit(hunt_in, seeds, list(left)))
            if len(waiting) > workers:  # one more, so that nobody is idle
                yield from _taken(waiting.popleft().result(), left, plays)
        for future in waiting:
            yield from _taken(future.result(), left, plays)
    yield from left.items()


def _chunks(programs: int) -> Iterator[range]:
    for first in range(1, programs + 1, CHUNK):
        yield range(first, min(first + CHUNK, programs + 1))


def _taken(tallies: dict[str, Tally], left: dict[str, Tally], plays: int) -> Iterator[tuple[str, Tally]]:
    """In the order of the programs: what a later one found as well is known already."""
    for name in [name for name in tallies if name in left]:
        old, new = left[name], tallies[name]
        left[name] = Tally(new.after, old.met + new.met, old.programs + new.programs)
        if new.after is not None or left[name].met >= plays:
            yield name, left.pop(name)


def hunt_in(seeds: Iterable[int], names: Sequence[str]) -> dict[str, Tally]:
    tallies = {name: Tally() for name in names}
    for seed in seeds:
        program, left = generate(seed), [name for name in names if tallies[name].after is None]
        for name in left:
            tallies[name].programs += 1
        for name in differing(program, left):
            tallies[name].met += 1
            if is_found(name, program):
                tallies[name].after = seed
    return tallies


def differing(program: Program, names: Sequence[str]) -> list[str]:
    """Those that may change a light of this program; none if a light is wrong already."""
    scouts = {name: Scout() for name in names}
    known = mutants()
    with ExitStack() as stack:
        for name, scout in scouts.items():
            stack.enter_context(known[name].watched(scout))
        is_right = not judge(program).findings.wrong
    return [name for name, scout in scouts.items() if scout.has_met and is_right]


def is_found(name: str, program: Program) -> bool:
    with mutants()[name].put_in():
        try:
            return bool(judge(program).findings.wrong)
        except Exception:  # a watcher that falls is found too
            return True


if __name__ == "__main__":
    sys.exit(main())
