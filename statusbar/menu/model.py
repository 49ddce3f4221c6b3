"""A menu as a value: its items, what each is called, whether it is ticked, and what choosing it means."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from statusbar.text.symbols import CALM, LOOKS, TROUBLE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from statusbar.model.rows import Action
    from statusbar.text.symbols import Look

    Key = tuple[str, ...]

ROOT: Key = ()
FACES = {**LOOKS, "calm": CALM, "trouble": TROUBLE}


class Deed(Enum):
    """What the menu itself can do, next to the actions of rows."""

    SET = "change a setting"
    MUTE = "mute this project's notifications"
    LOGIN = "open at login"
    FOLD = "hide those of long ago"
    QUIT = "quit yourturn"


class Choice(NamedTuple):
    """What is to be done when an item is chosen."""

    deed: Action | Deed
    session_id: str = ""
    agent: str = ""
    setting: str = ""
    value: bool | float | None = None  # what it is to be from now on


class Tick(NamedTuple):
    """Whether an item is chosen already, as a mark beside its title tells."""

    is_on: bool
    is_one_of_several: bool = False


@dataclass(frozen=True)
class Item:
    """All titles are clean. A separator has none, and neither choice nor children."""

    key: Key  # in the whole menu there is no other; stays the same as long as the item is about the same thing
    title: str = ""
    choice: Choice | None = None
    children: tuple[Item, ...] = ()
    tick: Tick | None = None  # one that has it keeps it, on or off

    @property
    def is_separator(self) -> bool:
        return not self.title

    @property
    def is_enabled(self) -> bool:
        return bool(self.choice or self.children)


@dataclass(frozen=True)
class Menu:
    title: str = CALM.symbol
    face: str = "calm"  # one of FACES: the most urgent state, or the trouble
    count: int = 0  # of sessions in that state
    words: str = CALM.word  # the sums, spelled out
    items: tuple[Item, ...] = ()

    @property
    def look(self) -> Look:
        return FACES[self.face]


def every(items: Sequence[Item]) -> Iterator[Item]:
    for item in items:
        yield item
        yield from every(item.children)
