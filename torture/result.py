"""What came of an attack: how often it was tried, how often it hit, what was lost."""

from __future__ import annotations

from typing import NamedTuple


class Tally(NamedTuple):
    """One kind of blow. One that was tried and did not hit proves nothing."""

    what: str
    tried: int
    hit: int
    lost: tuple[str, ...] = ()

    @property
    def is_good(self) -> bool:
        return self.tried > 0 and self.hit == self.tried and not self.lost


class Result(NamedTuple):
    name: str
    tallies: tuple[Tally, ...] = ()
    missing: str = ""  # why it, or a part of it, could not be tried at all
    remarks: tuple[str, ...] = ()  # figures and words that are not judged
    seconds: float = 0.0

    @property
    def is_good(self) -> bool:
        return bool(self.tallies) and not self.missing and all(one.is_good for one in self.tallies)


class MissingError(Exception):
    """A program or a right that this machine does not have; says how to get it."""


class Count:
    """A tally while it grows."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._tried = self._hit = 0
        self._lost: list[str] = []

    def blow(self, *, hit: bool, where: str = "") -> None:
        self._tried += 1
        self._hit += hit
        if not hit:
            self._lost.append(f"{where or self._what}: did not hit")

    def lost(self, what: str) -> None:
        self._lost.append(what)

    def check(self, holds: object, otherwise: str) -> None:
        if not holds:
            self.lost(otherwise)

    def tally(self) -> Tally:
        return Tally(self._what, self._tried, self._hit, tuple(self._lost))

    def __str__(self) -> str:
        return f"{self._what}: {self._tried} tried, {self._hit} hit, {len(self._lost)} lost"
