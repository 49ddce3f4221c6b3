"""From a board to a menu as a value, the same for tray and menubar; and from one menu to the next as patches."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from contract.status import STATES
from statusbar.look import CALM, LOOKS, TROUBLE
from statusbar.rows import Action, Kind
from statusbar.text import cut, tidy, width

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from statusbar.board import Board
    from statusbar.look import Look
    from statusbar.rows import Row

    Key = tuple[str, ...]

WIDEST = 72  # cells of one title; panels draw what they get, as wide as the screen and wider
LONGEST = 400  # of an answer
BETWEEN = " · "
ROOT: Key = ()
NOBODY = "No agent is running"
FACES = {**LOOKS, "calm": CALM, "trouble": TROUBLE}


class Deed(Enum):
    """What the menu itself can do, next to the actions of rows."""

    FOLD = "hide those of long ago"
    QUIT = "quit yourturn"


class Choice(NamedTuple):
    """What is to be done when an item is chosen."""

    deed: Action | Deed
    session_id: str = ""
    agent: str = ""


@dataclass(frozen=True)
class Item:
    """All titles are clean. A separator has none, and neither choice nor children."""

    key: Key  # in the whole menu there is no other; stays the same as long as the item is about the same thing
    title: str = ""
    choice: Choice | None = None
    children: tuple[Item, ...] = ()

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


def menu(whole: Board, *, said: str = "", unfolded: bool = False) -> Menu:
    """`said` is an answer to what was chosen last."""
    face = _face(whole)
    items = (*_sessions(whole.rows), *_notices(whole, said), *_deeds(unfolded=unfolded))
    return Menu(whole.title, face, whole.counts.get(face, 0), _words(whole), items)


def held(drawn: Menu, wanted: Menu) -> Menu:
    """What may be drawn of a menu while it is open: new words in their old places, so that no row slips away."""
    fresh = {item.key: item for item in every(wanted.items)}
    return replace(wanted, items=tuple(_held(item, fresh) for item in drawn.items))


def every(items: Sequence[Item]) -> Iterator[Item]:
    for item in items:
        yield item
        yield from every(item.children)


# From one menu to the next


class Insert(NamedTuple):
    parent: Key
    place: int
    item: Item  # with all below it


class Remove(NamedTuple):
    parent: Key
    item: Item  # with all below it


class Move(NamedTuple):
    parent: Key
    place: int
    item: Item


class Change(NamedTuple):
    """Its title or its choice is another one."""

    item: Item


Patch = Insert | Remove | Move | Change


def diff(old: Sequence[Item], new: Sequence[Item], parent: Key = ROOT) -> Iterator[Patch]:
    """The patches in the order in which they are to be applied."""
    # An item that gains or loses its submenu, or becomes a line, is made anew: few panels can change that.
    shapes = {item.key: _shape(item) for item in new}
    before = {item.key: item for item in old if shapes.get(item.key) == _shape(item)}
    yield from (Remove(parent, item) for item in old if item.key not in before)
    order = list(before)
    for index, item in enumerate(new):
        if item.key not in before:
            order.insert(index, item.key)
            yield Insert(parent, index, item)
            continue
        if order[index] != item.key:
            order.remove(item.key)
            order.insert(index, item.key)
            yield Move(parent, index, item)
        yield from _changes(before[item.key], item)


def _changes(old: Item, new: Item) -> Iterator[Patch]:
    if (old.title, old.choice) != (new.title, new.choice):
        yield Change(new)
    yield from diff(old.children, new.children, new.key)


def _shape(item: Item) -> tuple[bool, bool]:
    return bool(item.children), item.is_separator


def _held(item: Item, fresh: dict[Key, Item]) -> Item:
    now = fresh.get(item.key)
    if now is None or _shape(now) != _shape(item):
        return item
    return replace(now, children=tuple(_held(one, fresh) for one in item.children))


# From a board to items


def _face(whole: Board) -> str:
    if not whole.is_well:
        return "trouble"
    return next((state for state in STATES if whole.counts[state]), "calm")


def _words(whole: Board) -> str:
    sums = [f"{whole.counts[state]} {LOOKS[state].word}" for state in STATES if whole.counts[state]]
    return ", ".join([TROUBLE.word] * (not whole.is_well) + sums) or CALM.word


def _sessions(rows: Sequence[Row]) -> Iterator[Item]:
    """A row without depth begins a family; those below it are its agents."""
    number = 0
    families: list[tuple[int, Row]] = []
    for row in rows:
        number += row.depth == 0
        families.append((number, row))
    for _, family in groupby(families, key=lambda pair: pair[0]):
        head, *agents = (row for _, row in family)
        yield _folded(head) if head.kind is Kind.FOLDED else _session(head, agents)
    if not rows:
        yield Item(("nobody",), NOBODY)


def _session(head: Row, agents: Sequence[Row]) -> Item:
    key = ("session", *head.id)
    parts = [f"{LOOKS[head.state].symbol} {head.project or head.name}", head.name * bool(head.project), head.detail]
    below = [
        Item((*key, "verdict"), _line([LOOKS[head.state].word, head.age, head.team])),
        *([Item((*key, "detail"), _cut(head.detail))] if head.detail else []),
        *(_agent(key, row) for row in agents),
        Item((*key, "line")),
        *(_act((*key, "act", one.name), one, head) for one in head.actions),
    ]
    return Item(key, _line([*parts, head.age]), children=tuple(below))


def _agent(session: Key, row: Row) -> Item:
    """Chosen, it leads to where it runs, or at least to the reasons for what it is shown as."""
    deed = Action.GO if Action.GO in row.actions else Action.EXPLAIN
    words = _line([f"{LOOKS[row.state].symbol} {row.name}", row.detail or LOOKS[row.state].word, row.age])
    indent = "   " * (row.depth - 1)
    return Item((*session, "agent", *row.id), indent + words, Choice(deed, row.session_id, row.agent))


def _act(key: Key, action: Action, row: Row) -> Item:
    return Item(key, action.value.capitalize(), Choice(action, row.session_id, row.agent))


def _folded(row: Row) -> Item:
    return Item(("folded",), _line([row.name, row.detail]), Choice(Action.UNFOLD))


def _notices(whole: Board, said: str) -> Iterator[Item]:
    """Each in lines that a panel can show whole: the remedy stands at the end."""
    if whole.notices or said:
        yield Item(("line", "notices"))
    for number, words in enumerate([*whole.notices, *([tidy(said, LONGEST)] if said else [])]):
        sentences = words.replace("; ", ".\n").replace(". ", ".\n").split("\n")
        for part, sentence in enumerate(sentences):
            mark = "   " if part else f"{TROUBLE.symbol} "
            yield Item(("notice", str(number), str(part)), mark + _cut(sentence))


def _deeds(*, unfolded: bool) -> Iterator[Item]:
    yield Item(("line", "deeds"))
    for deed in Deed:
        if deed is not Deed.FOLD or unfolded:
            yield Item(("deed", deed.name), deed.value.capitalize(), Choice(deed))


def _line(parts: Sequence[str]) -> str:
    """The last part stays, whatever must be cut: an age is never the victim of a long name."""
    *first, last = [part for part in parts if part]
    room = WIDEST - width(BETWEEN + last)
    if not first or room < WIDEST // 2:
        return _cut(BETWEEN.join([*first, last]))
    return f"{cut(BETWEEN.join(first), room)}{BETWEEN}{last}"


def _cut(words: str) -> str:
    return cut(words, WIDEST)
