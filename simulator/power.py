"""`python -m simulator.power`: after how many programs each broken law is found."""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

from simulator.generate import generate
from simulator.judgement import judge
from simulator.mutants import mutants

PROGRAMS = 300


class Found(NamedTuple):
    mutant: str
    after: int | None  # programs; None: it survived


def main() -> int:
    parser = argparse.ArgumentParser(prog="simulator.power", description=__doc__)
    parser.add_argument("--programs", type=int, default=PROGRAMS, metavar="N", help="how many each may survive")
    parser.add_argument("--only", default="", metavar="WORDS", help="the broken laws with these words in their names")
    parser.add_argument("--workers", type=int, default=2, metavar="W")
    args = parser.parse_args()
    names = [name for name in mutants() if args.only in name]
    if not names:
        parser.error(f"no broken law is called {args.only!r}")
    survived = 0
    with ProcessPoolExecutor(args.workers) as pool:
        for found in pool.map(hunt, names, [args.programs] * len(names)):
            survived += found.after is None
            words = f"after {found.after}" if found.after else f"survived {args.programs}"
            print(f"{words:>16}  {found.mutant}", flush=True)
    print(f"\n{len(names)} broken laws, {len(names) - survived} found, {survived} survived")
    return 0


def hunt(name: str, programs: int) -> Found:
    for seed in range(1, programs + 1):
        program = generate(seed)
        with mutants()[name]():
            is_wrong = bool(judge(program).findings.wrong)
        if is_wrong and not judge(program).findings.wrong:
            return Found(name, seed)
    return Found(name, None)


if __name__ == "__main__":
    sys.exit(main())
