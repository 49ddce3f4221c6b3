"""From one menu to the next: the smallest set of changes to draw."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from statusbar.menu.model import ROOT, Item, every

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from statusbar.menu.model import Key, Menu


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
    """Its title, its tick or its choice has changed."""

    item: Item


Patch = Insert | Remove | Move | Change


def diff(old: Sequence[Item], new: Sequence[Item], parent: Key = ROOT) -> Iterator[Patch]:
    """The patches in the order in which they are to be applied."""
    # An item that gains or loses its submenu or its tick, or becomes a separator, is removed and inserted again: few
    # panels can change that in place.
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


def while_open(drawn: Menu, wanted: Menu) -> Menu:
    """What may be drawn while the menu is open: new titles in the old rows, so that no row moves under the pointer."""
    fresh = {item.key: item for item in every(wanted.items)}
    return replace(wanted, items=tuple(_updated(item, fresh) for item in drawn.items))


def _changes(old: Item, new: Item) -> Iterator[Patch]:
    if (old.title, old.tick, old.choice) != (new.title, new.tick, new.choice):
        yield Change(new)
    yield from diff(old.children, new.children, new.key)


def _shape(item: Item) -> tuple[bool, bool, bool]:
    return bool(item.children), item.is_separator, item.tick is not None


def _updated(item: Item, fresh: dict[Key, Item]) -> Item:
    now = fresh.get(item.key)
    if now is None or _shape(now) != _shape(item):
        return item
    return replace(now, children=tuple(_updated(child, fresh) for child in item.children))
