"""The columns of `yourturn top`: as wide as the screen makes them, whatever is in them, so that nothing jumps."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from statusbar.cli.board_table import AGE, BESIDE, CLIENT, DETAIL, NAME, PROJECT, SIGN, STATE, SYMBOL, Column, Layout
from statusbar.cli.pieces import GAP

if TYPE_CHECKING:
    from statusbar.cli.pieces import Line
    from statusbar.model.rows import Row


class Share(NamedTuple):
    column: Column
    least: int
    more: int = 0  # cells that it gets of each hundred to spare
    most: int = 1000


class Plan(NamedTuple):
    shares: tuple[Share, ...]
    rest: Column  # gets what is left
    deepest: int  # levels that are indented: a sign must not leave its column

    @property
    def least(self) -> int:
        return sum(share.least for share in self.shares) + len(GAP) * (len(self.shares) - 1)

    def widths(self, room: int) -> tuple[int, ...]:
        spare = max(room - self.least, 0)
        found = {share.column: min(share.least + spare * share.more // 100, share.most) for share in self.shares}
        taken = sum(found.values()) + len(GAP) * (len(found) - 1)
        found[self.rest] = max(found[self.rest] + room - taken, 0)
        return tuple(found.values())


OLD, WHOSE, BRIEFLY = Share(AGE, 4, 5, 5), Share(CLIENT, 8), Share(SIGN, 3)
LONG_STATE, PLACE = Share(STATE, 18, 10, 22), Share(PROJECT, 12, 15, 20)
LIGHT, SHORT_PLACE = Share(SYMBOL, 6), Share(PROJECT, 10, 15, 16)
NARROW = (
    Plan((Share(SYMBOL, 4), Share(NAME, 12, 40, 24), Share(DETAIL, 10), OLD), DETAIL, 1),
    Plan((Share(SYMBOL, 2), Share(NAME, 6), OLD), NAME, 0),
    Plan((Share(SYMBOL, 2), Share(NAME, 0)), NAME, 0),
)
# The first that fits is used.
PLANS = (
    Plan((LONG_STATE, PLACE, Share(BESIDE, 18, 25, 36), Share(DETAIL, 20), OLD), DETAIL, 2),
    Plan((LIGHT, SHORT_PLACE, Share(BESIDE, 14, 30, 28), Share(DETAIL, 14), OLD), DETAIL, 2),
    *NARROW,
)
# Where there are several kinds of client: by name, or on eighty columns by the beginning of it.
MIXED = (
    Plan((LONG_STATE, PLACE, Share(BESIDE, 18, 25, 36), WHOSE, Share(DETAIL, 30), OLD), DETAIL, 2),
    Plan((LONG_STATE, PLACE, Share(BESIDE, 14, 25, 36), BRIEFLY, Share(DETAIL, 19), OLD), DETAIL, 2),
    Plan((LIGHT, SHORT_PLACE, Share(BESIDE, 12, 30, 28), BRIEFLY, Share(DETAIL, 12), OLD), DETAIL, 2),
    *NARROW,
)


class Columns(NamedTuple):
    layout: Layout
    deepest: int

    def heading(self) -> Line:
        return self.layout.heading()

    def line(self, row: Row) -> Line:
        return self.layout.line(row._replace(depth=min(row.depth, self.deepest)))


@lru_cache(maxsize=8)
def columns(room: int, *, is_mixed: bool = False) -> Columns:
    """`is_mixed`: whether there are several kinds of client."""
    plans = MIXED if is_mixed else PLANS
    plan = next((plan for plan in plans if plan.least <= room), plans[-1])
    return Columns(Layout(tuple(share.column for share in plan.shares), plan.widths(room)), plan.deepest)
