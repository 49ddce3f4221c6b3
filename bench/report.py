"""The one table at the end of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench import growth, table
from bench.paint import red

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.figure import Figure, Missing

HEAD = ("what", "median", "p95", "unit", "against", "ratio", "budget")
WORDS = ("what", "unit", "against", "budget")


def lines(figures: Sequence[Figure], missing: Sequence[Missing] = ()) -> list[str]:
    head, *rows = table.draw(HEAD, [_row(one) for one in figures], WORDS)
    missed = [any(not budget.is_kept for budget in one.budgets) for one in figures]
    drawn = [red(row) if is_missed else row for row, is_missed in zip(rows, missed, strict=True)]
    notes = [f"NOT MEASURED: {one.what}, because {one.why}" for one in missing]
    return [head, *drawn, *notes]


def _row(one: Figure) -> tuple[str, ...]:
    ratio = "" if one.ratio is None else f"{one.ratio:.2f} x"
    middle = f"{one.middle:.2f}" if one.unit == growth.UNIT else table.number(one.middle)
    budgets = ", ".join(map(str, one.budgets))
    return one.what, middle, table.number(one.late), one.unit, one.against, ratio, budgets
