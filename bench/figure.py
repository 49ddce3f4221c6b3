"""One figure: what was measured, how much it is, and what stood beside it in the same run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bench import race

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bench.budget import Budget
    from bench.race import Taken


class Figure(NamedTuple):
    """`key` is the same in every run, so that two runs can be compared."""

    key: str
    what: str
    middle: float
    unit: str = "ms"
    late: float | None = None  # p95
    against: str = ""
    ratio: float | None = None
    budgets: Sequence[Budget] = ()
    grain: float = 0.0  # two figures that differ by less are the same

    @property
    def missed(self) -> bool:
        """Whether a limit that must hold does not."""
        return any(budget.hard and not budget.is_kept for budget in self.budgets)


class Missing(NamedTuple):
    """What could not be measured here, and why."""

    what: str
    why: str


def of(key: str, what: str, values: Sequence[float], unit: str = "ms", **more: Any) -> Figure:
    """The median and the p95 of what was measured again and again."""
    return Figure(key, what, race.median(values), unit, race.p95(values), **more)


def beside(key: str, what: str, values: Sequence[float], against: str, other: Sequence[float], **more: Any) -> Figure:
    """The same, with its ratio to something that was measured in turns with it."""
    return of(key, what, values, against=against, ratio=race.median(values) / race.median(other), **more)


def walls(taken: Sequence[Taken]) -> list[float]:
    return [one.wall for one in taken]


def encode(figure: Figure) -> dict[str, Any]:
    return {**figure._asdict(), "budgets": [str(budget) for budget in figure.budgets]}


def decode(value: Mapping[str, Any]) -> Figure:
    """As it was, but for its budgets: those of another run are of no use. KeyError or TypeError if it is none."""
    known = {name: value[name] for name in Figure._fields if name != "budgets" and name in value}
    found = Figure(**known)
    if not isinstance(found.middle, int | float) or not isinstance(found.key, str):
        raise TypeError(f"{found.key!r} is no figure")
    return found
