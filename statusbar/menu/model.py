"""A menu as a value: its items, their titles and ticks, and what choosing each does."""

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


class MenuAction(Enum):
    """What the menu itself can do, in addition to the actions of rows."""

    SET = "change a setting"
    MUTE = "mute this project's notifications"
    LOGIN = "open at login"
    FOLD = "hide stale sessions"
    ALLOW = "allow"
    DENY = "deny"
    ANSWER = "answer"
    NEXT = "go to the next agent that needs you"
    QUIT = "quit yourturn"


class Choice(NamedTuple):
    """What to do when an item is chosen."""

    action: Action | MenuAction
    session_id: str = ""
    agent: str = ""
    setting: str = ""
    value: bool | float | None = None  # the new value of the setting
    request: str = ""  # the id of what is asked
    digest: str = ""  # of what was drawn of it
    option: int = 0  # which of those of a question
    others: tuple[tuple[str, str], ...] = ()  # id and digest of each that is allowed with it


class Tick(NamedTuple):
    """The mark beside an item's title: whether it is on."""

    is_on: bool
    is_one_of_several: bool = False


@dataclass(frozen=True)
class Item:
    """All titles are clean. A separator has none, and neither choice nor children."""

    key: Key  # unique in the whole menu; stays the same as long as the item is about the same thing
    title: str = ""
    choice: Choice | None = None
    children: tuple[Item, ...] = ()
    tick: Tick | None = None

    @property
    def is_separator(self) -> bool:
        return not self.title

    @property
    def is_enabled(self) -> bool:
        return bool(self.choice or self.children)


@dataclass(frozen=True)
class Menu:
    title: str = CALM.symbol
    face: str = "calm"  # a key of FACES: the most urgent state, or "trouble"
    count: int = 0  # of the sessions in that state
    words: str = CALM.word  # the sums, spelled out
    items: tuple[Item, ...] = ()

    @property
    def look(self) -> Look:
        return FACES[self.face]


def every(items: Sequence[Item]) -> Iterator[Item]:
    for item in items:
        yield item
        yield from every(item.children)
