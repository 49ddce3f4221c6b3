"""How much is measured: all of it, or a small part."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

T = TypeVar("T")


class Dose(NamedTuple):
    share: float = 1.0
    clients: tuple[str, ...] = ()  # whose hooks are measured; none: those of all

    def rounds(self, whole: int) -> int:
        return max(1, round(whole * self.share))

    def seconds(self, whole: float) -> float:
        return max(0.2, whole * self.share)

    def sizes(self, whole: tuple[T, ...]) -> tuple[T, ...]:
        """The largest takes most of the time: a small dose does without."""
        return whole if self.share >= 1 else whole[:-1]


WHOLE, QUICK = Dose(), Dose(0.1)
