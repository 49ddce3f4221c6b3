"""Two runs side by side: what has become slower, and whether they can be compared at all."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, NamedTuple

from bench import growth, results, table
from bench.paint import red

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.figure import Figure
    from bench.results import Results

MOST = 1.2
GUARDED = ("hook", "watcher")
SIGN = "!!"
HEAD = ("", "what", "A", "B", "unit", "B to A", "beside it")
WORDS = ("", "what", "unit")


class Pair(NamedTuple):
    """The same figure in both runs."""

    before: Figure
    after: Figure

    @property
    def change(self) -> float | None:
        return self.after.middle / self.before.middle if self.before.middle > 0 else None

    @property
    def beside(self) -> float | None:
        """How much what stood beside it has changed: if that is slower as well, the machine is."""
        if not (self.change and self.before.ratio and self.after.ratio):
            return None
        return self.change * self.before.ratio / self.after.ratio

    @property
    def is_slower(self) -> bool:
        """A hook or a watcher, by more than a fifth and by more than can be measured."""
        if self.before.key.split(".")[0] not in GUARDED or self.before.unit == growth.UNIT:
            return False
        before, after = self.before.middle, self.after.middle
        return after > MOST * before and after - before > max(self.before.grain, self.after.grain)


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench compare", description=__doc__)
    parser.add_argument("a", metavar="A.json", help="the run before")
    parser.add_argument("b", metavar="B.json", help="the run after")
    args = parser.parse_args(argv)
    try:
        before, after = results.load(args.a), results.load(args.b)
    except results.UnreadableError as why:
        print(f"bench: {why}", file=sys.stderr)
        return 1
    found = pairs(before, after)
    print("\n".join(lines(before, after, found)))
    return 1 if any(pair.is_slower for pair in found) or not found else 0


def pairs(before: Results, after: Results) -> list[Pair]:
    """What both have, in the order of the first."""
    there = {one.key: one for one in after.figures}
    return [Pair(one, there[one.key]) for one in before.figures if one.key in there]


def lines(before: Results, after: Results, found: Sequence[Pair]) -> list[str]:
    head, *rows = table.draw(HEAD, [_row(pair) for pair in found], WORDS)
    drawn = [red(row) if pair.is_slower else row for row, pair in zip(rows, found, strict=True)]
    return [*_heads(before, after), "", head, *drawn, *_notes(before, after, found)]


def _heads(before: Results, after: Results) -> list[str]:
    return [f"{name}: {results.title(run.about)}" for name, run in (("A", before), ("B", after))]


def _row(pair: Pair) -> tuple[str, ...]:
    sign = SIGN if pair.is_slower else ""
    before, after = table.number(pair.before.middle), table.number(pair.after.middle)
    return sign, pair.before.what, before, after, pair.before.unit, _percent(pair.change), _percent(pair.beside)


def _percent(change: float | None) -> str:
    return "" if change is None else f"{(change - 1) * 100:+.0f} %"


def _notes(before: Results, after: Results, found: Sequence[Pair]) -> list[str]:
    notes = [f"Different machines: {_differences(before, after)}."] if before.machine() != after.machine() else []
    if before.about.get("quick") != after.about.get("quick"):
        notes.append("One of them is a short dose: its figures are less sure.")
    for name, run, other in (("A", before, after), ("B", after, before)):
        notes += [f"Only in {name}: {', '.join(only)}." for only in [_only(run, other)] if only]
    slower = [pair.before.what for pair in found if pair.is_slower]
    told = f"{SIGN} Slower by more than {(MOST - 1) * 100:.0f} %: {', '.join(slower)}." if slower else _all_well(found)
    return ["", *notes, red(told) if slower else told]


def _all_well(found: Sequence[Pair]) -> str:
    if not found:
        return "They have no figure in common."
    return f"No figure of hook or watcher is slower by more than {(MOST - 1) * 100:.0f} %."


def _differences(before: Results, after: Results) -> str:
    ours, theirs = before.machine(), after.machine()
    return ", ".join(f"{name} {ours[name]} and {theirs[name]}" for name in ours if ours[name] != theirs[name])


def _only(run: Results, other: Results) -> list[str]:
    there = {one.key for one in other.figures}
    return [one.what for one in run.figures if one.key not in there]
