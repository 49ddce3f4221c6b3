"""`python -m simulator.power`: after how many programs each broken law is found.

Every program is played once as it is, beside which every broken place is tried with the questions that the real one
is asked. Only if it would have answered differently is the program played again with it.
"""

from __future__ import annotations

import argparse
import sys
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
CHUNK = 5


@dataclass
class Found:
    after: int | None = None  # programs; None: it survived
    met: int = 0  # programs in which it made a difference to an answer, up to then

    def add(self, other: Found) -> None:
        self.met += other.met
        self.after = min((one for one in (self.after, other.after) if one is not None), default=None)


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="simulator.power", description=__doc__)
    parser.add_argument("--programs", type=int, default=PROGRAMS, metavar="N", help="how many each may survive")
    parser.add_argument("--only", default="", metavar="WORDS", help="the broken laws with these words in their names")
    parser.add_argument("--workers", type=int, default=2, metavar="W")
    args = parser.parse_args(words)
    names = [name for name in mutants() if args.only in name]
    if not names:
        parser.error(f"no broken law is called {args.only!r}")
    found = hunt(names, args.programs, args.workers)
    for name in names:
        print(f"{_words(found[name], args.programs):>15}  {found[name].met:6}  {name}{_reason(name, found[name])}")
    survived = [name for name in names if found[name].after is None]
    unexplained = [name for name in survived if name not in SURVIVORS]
    print(f"\n{len(names)} broken laws, {len(names) - len(survived)} found, {len(survived)} survived", end="")
    print(f", {len(unexplained)} of them without a reason in simulator/survivors.py" if unexplained else "")
    return 1 if unexplained else 0


def _words(found: Found, programs: int) -> str:
    return f"after {found.after}" if found.after else f"survived {programs}"


def _reason(name: str, found: Found) -> str:
    return f": {SURVIVORS.get(name, 'NO REASON KNOWN')}" if found.after is None else ""


def hunt(names: Sequence[str], programs: int, workers: int = 1) -> dict[str, Found]:
    """All of them through the same programs, until the last one is found."""
    found = {name: Found() for name in names}
    with ProcessPoolExecutor(workers) as pool:
        waiting: list[Future[dict[str, Found]]] = []
        for seeds in _chunks(programs):
            left = [name for name in names if found[name].after is None]
            if not left:
                break
            waiting.append(pool.submit(hunt_in, seeds, left))
            if len(waiting) > workers:  # one more, so that nobody is idle
                _take(waiting.pop(0), found)
                _tell(seeds.start, left)
        for one in waiting:
            _take(one, found)
    return found


def _chunks(programs: int) -> Iterator[range]:
    for first in range(1, programs + 1, CHUNK):
        yield range(first, min(first + CHUNK, programs + 1))


def _take(future: Future[dict[str, Found]], found: dict[str, Found]) -> None:
    for name, one in future.result().items():
        found[name].add(one)


def _tell(played: int, left: Sequence[str]) -> None:
    if sys.stderr.isatty():
        print(f"\r{played} programs, {len(left)} left ", end="", file=sys.stderr, flush=True)


def hunt_in(seeds: Iterable[int], names: Sequence[str]) -> dict[str, Found]:
    found = {name: Found() for name in names}
    for seed in seeds:
        program = generate(seed)
        for name in differing(program, [name for name in names if found[name].after is None]):
            found[name].met += 1
            if is_found(name, program):
                found[name].after = seed
    return found


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
