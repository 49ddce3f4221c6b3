"""What a figure may be."""

from __future__ import annotations

from typing import NamedTuple


class Budget(NamedTuple):
    """What was measured and what it may be. Only a hard one that is missed fails the run."""

    measured: float
    limit: float
    unit: str = "x"
    hard: bool = True
    at_least: bool = False

    @property
    def is_kept(self) -> bool:
        return self.measured >= self.limit if self.at_least else self.measured <= self.limit

    def __str__(self) -> str:
        kind = "" if self.hard else "goal "
        sign = ">=" if self.at_least else "<="
        return f"{kind}{sign} {self.limit:g} {self.unit}: {'kept' if self.is_kept else 'MISSED'}"
