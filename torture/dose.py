"""How much of an attack: a short dose for every test run, a long one for `make torture`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

from torture.room import Room

if TYPE_CHECKING:
    from collections.abc import Callable

    from torture.result import Count

    T = TypeVar("T")


class Dose(NamedTuple):
    folder: str  # everything lies below it
    is_long: bool = False
    seed: int = 1
    say: Callable[[str], None] = lambda _words: None

    def pick(self, short: T, long: T) -> T:
        return long if self.is_long else short

    def room(self, name: str) -> Room:
        return Room.make(f"{self.folder}/{name}", f"{self.folder}/guest")

    def progress(self, count: Count) -> None:
        self.say(str(count))
