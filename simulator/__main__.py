"""`python -m simulator`: random programs on the watcher's own loop; exit 1 if one light was wrong."""

from __future__ import annotations

import argparse
import gc
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING

from simulator.judgement import judge
from simulator.mix import ALL, program
from simulator.report import Report
from simulator.shrink import shrink
from simulator.story import pasteable, story, timeline

if TYPE_CHECKING:
    from collections.abc import Iterable

CHUNK = 20


def main(argv: list[str] | None = None) -> int:
    args = _arguments(argv)
    if args.programs == 1:
        return _play_one(args.seed, args.client, trace=args.trace)
    report, began = Report(), time.monotonic()
    with suppress(KeyboardInterrupt):  # what has been found until then is worth telling
        for part in _parts(args):
            report.merge(part)
            for kind, seeds in part.seeds.items():
                print(f"\r{kind}: seed {', '.join(map(str, seeds))}", file=sys.stderr)
            print(f"\r{report.programs} programs, {report.wrong.total()} wrong", end="", file=sys.stderr, flush=True)
            if args.first_failure and report.wrong:
                break
    print(file=sys.stderr)
    print(report.table())
    print(f"\n{report.programs / (time.monotonic() - began):.1f} programs a second")
    if args.first_failure and report.wrong:
        _play_one(min(min(seeds) for seeds in report.seeds.values()), args.client)
    return 1 if report.wrong else 0


def _arguments(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="simulator", description=__doc__)
    parser.add_argument("--programs", type=int, default=5000, metavar="N", help="how many; 1 tells the story of one")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of the first one")
    parser.add_argument("--client", default="", choices=ALL, help="of this one only; else one in five is of another")
    parser.add_argument("--workers", type=int, default=2, metavar="W")
    parser.add_argument("--first-failure", action="store_true", help="stop at the first wrong light and tell its story")
    parser.add_argument("--trace", action="store_true", help="with one program: all that was seen and shown")
    return parser.parse_args(argv)


def _parts(args: argparse.Namespace) -> Iterable[Report]:
    seeds = range(args.seed, args.seed + args.programs)
    chunks = [seeds[begin : begin + CHUNK] for begin in range(0, len(seeds), CHUNK)]
    if args.workers < 2:  # noqa: PLR2004
        yield from (run(chunk, args.client) for chunk in chunks)
        return
    with ProcessPoolExecutor(args.workers, initializer=gc.disable) as pool:  # it costs an eighth of the time
        try:
            yield from pool.map(run, chunks, [args.client] * len(chunks))
        finally:  # nobody waits for the rest when the first failure was asked for
            pool.shutdown(cancel_futures=True)


def run(seeds: Iterable[int], client: str = "") -> Report:
    report = Report()
    for seed in seeds:
        try:
            report.add(judge(program(seed, client)))
        except Exception as error:  # the wall between programs: a watcher that falls is the worst of all lights
            report.fell(seed, error)
    gc.collect()
    return report


def _play_one(seed: int, client: str, *, trace: bool = False) -> int:
    judgement = judge(program(seed, client))
    if judgement.findings.wrong:
        judgement = shrink(judgement)
    if trace:
        print(timeline(judgement))
    for wrong in judgement.findings.wrong[:1]:
        print(story(judgement, wrong), end="\n\n")
    print(pasteable(judgement.program))
    return 1 if judgement.findings.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
