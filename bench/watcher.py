"""The watcher: at rest, at a change, at its first sight of a transcript, and how soon it tells."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from bench import delay, idle, place, race, sight, ticks, words
from bench.table import show

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bench.place import Place
    from bench.table import Table

PARTS: dict[str, Callable[[Place, argparse.Namespace], Iterator[Table]]] = {
    "idle": lambda where, args: idle.measure(where, args.seconds),
    "ticks": lambda where, args: ticks.measure(where, args.rounds),
    "sight": lambda where, args: sight.measure(where, args.rounds, [n for n in sight.SIZES if n <= args.largest]),
    "delay": lambda where, args: delay.measure(where, args.rounds),
    "words": lambda where, args: words.measure(where, args.rounds // 5 or 1),
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench watcher", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)} (default: all)")
    parser.add_argument("--seconds", type=float, default=30, help="how long to look at it at rest")
    parser.add_argument("--rounds", type=race.positive, default=120, help="how often to measure (default: %(default)s)")
    parser.add_argument("--largest", type=int, default=1000, metavar="MB", help="the longest transcript to write")
    args = parser.parse_args()
    unknown = [part for part in args.parts if part not in PARTS]
    if unknown:
        parser.error(f"no such part: {', '.join(unknown)}")
    return show(table for part in args.parts or PARTS for table in _alone(part, args))


def _alone(part: str, args: argparse.Namespace) -> Iterator[Table]:
    with place.folder() as path:
        yield from PARTS[part](place.Place(path), args)
