"""yourturn's entries in the text of a client's settings: added, found, removed. Pure."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from installer.hooks import jsontext
from installer.hooks.entries import Entry, group, is_ours
from installer.hooks.jsontext import Item, items, member, root
from installer.hooks.shape import CLAUDE

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from installer.hooks.shape import Shape


KINDS = {
    dict: "an object",
    list: "a list",
    str: "a string",
    int: "a number",
    float: "a number",
    bool: "true or false",
    type(None): "null",
}


# What to do with a line that cannot be read, by whether the client allows comments.
PLAIN = {
    False: "make it plain JSON (no comments)",
    True: "make it JSON (comments may stay; no comma before a closing bracket)",
}


class UnfitError(ValueError):
    """The text cannot be edited safely; line and column count from one."""

    def __init__(self, why: str, text: str, at: int, remedy: str) -> None:
        super().__init__(why)
        self.line = text.count("\n", 0, at) + 1
        self.column = at - text.rfind("\n", 0, at)
        self.remedy = remedy
        """What to do with that line."""


class Spot(NamedTuple):
    """One of yourturn's entries, and the way up from it: where each container begins, and the index in it."""

    event: str
    hook: Item
    way: tuple[tuple[int, int], ...]


def parse(text: str, shape: Shape = CLAUDE) -> dict[str, Any]:
    """The settings; an empty text has none."""
    if not text.strip():
        return {}
    try:
        value = jsontext.parse(text, comments=shape.has_comments)
    except json.JSONDecodeError as error:
        raise UnfitError(error.msg, text, error.pos, PLAIN[shape.has_comments]) from None
    if not isinstance(value, dict):
        why, remedy = _unfit("the settings are", value, dict, shape)
        raise UnfitError(why, text, root(text), remedy)
    return value


def check(text: str, wanted: Collection[str], shape: Shape = CLAUDE) -> None:
    """UnfitError if entries for these events cannot be added."""
    if "hooks" not in parse(text, shape):
        return
    hooks = _only(text, root(text), "hooks", dict, shape)
    for event in wanted:
        if event in hooks.value:
            _only(text, hooks.at, event, list, shape)


def merge(text: str, wanted: Mapping[str, Entry], shape: Shape = CLAUDE) -> str:
    """The text with exactly these entries of yourturn: older ones updated in place, missing ones added."""
    check(text, wanted, shape)
    text = text if text.strip() else shape.empty
    for event, entry in wanted.items():
        text = _place(text, event, entry, shape)
    while stale := _stale(text, wanted, shape):
        text = _without(text, stale, ())
    return text


def unmerge(text: str, kept: Collection[str] = (), shape: Shape = CLAUDE) -> str:
    """The text without yourturn's entries, and without containers that are empty then; `kept` keys stay."""
    while found := ours(text, shape):
        text = _without(text, found[0], kept)
    return text


def ours(text: str, shape: Shape = CLAUDE) -> list[Spot]:
    """All entries with the mark, also those that the client does not see because of an equal key further down."""
    return list(_walk(text, shape)) if parse(text, shape) else []


def containers(text: str, shape: Shape = CLAUDE) -> frozenset[str]:
    """The keys that uninstalling must not remove: `hooks` and the events in it."""
    hooks = parse(text, shape).get("hooks")
    return frozenset(["hooks", *hooks]) if isinstance(hooks, dict) else frozenset()


def _walk(text: str, shape: Shape) -> Iterator[Spot]:
    top = root(text)
    for i, hooks in _within(text, top, dict, "hooks"):
        for j, event in _within(text, hooks.at, list):
            for k, item in _within(text, event.at, dict):
                for hook, inside in _hooks(text, item, shape):
                    if is_ours(hook.value, shape):
                        yield Spot(str(event.key), hook, (*inside, (event.at, k), (hooks.at, j), (top, i)))


def _hooks(text: str, item: Item, shape: Shape) -> Iterator[tuple[Item, tuple[tuple[int, int], ...]]]:
    """The hooks of a group, each with its place in it; an item that is the hook itself has none."""
    if not shape.is_grouped:
        yield item, ()
        return
    for _, inner in _within(text, item.at, list, "hooks"):
        yield from ((hook, ((inner.at, m),)) for m, hook in enumerate(items(text, inner.at)))


def _within(text: str, at: int, kind: type, key: str | None = None) -> list[tuple[int, Item]]:
    """The items of that kind, and of that key if one is named, with their places."""
    named = [(i, item) for i, item in enumerate(items(text, at)) if key is None or item.key == key]
    return [(i, item) for i, item in named if isinstance(item.value, kind)]


def _only(text: str, at: int, key: str, kind: type, shape: Shape) -> Item:
    first, *more = [item for item in items(text, at) if item.key == key]
    if more:
        why = f'there is a second "{key}", and {shape.title} ignores the first'
        raise UnfitError(why, text, more[0].start, f'merge it with the first "{key}"')
    if not isinstance(first.value, kind):
        why, remedy = _unfit(f'"{key}" is', first.value, kind, shape)
        raise UnfitError(why, text, first.at, remedy)
    return first


def _unfit(what: str, value: Any, kind: type, shape: Shape) -> tuple[str, str]:
    """What is wrong with a value of another kind, and what to do."""
    wanted, empty = ("an object", "{}") if kind is dict else ("an array", "[]")
    why = f"{what} {KINDS[type(value)]}, but {shape.title} expects {wanted} there"
    return why, f"make it {wanted} ({empty} if there is nothing to keep)"


def _place(text: str, event: str, entry: Entry, shape: Shape) -> str:
    old = next((spot for spot in ours(text, shape) if spot.event == event), None)
    if old:
        return text if old.hook.value == entry else jsontext.replace(text, old.hook, entry)
    hooks = member(text, root(text), "hooks")
    if hooks is None:
        return jsontext.append(text, root(text), "hooks", {event: [group(entry, shape)]})
    here = member(text, hooks.at, event)
    if here is None:
        return jsontext.append(text, hooks.at, event, [group(entry, shape)])
    return jsontext.append(text, here.at, None, group(entry, shape))


def _stale(text: str, wanted: Mapping[str, Entry], shape: Shape) -> Spot | None:
    """An entry to remove: a second one for its event, or one for an event that is no longer wanted."""
    seen: set[str] = set()
    for spot in ours(text, shape):
        if spot.event not in wanted or spot.event in seen:
            return spot
        seen.add(spot.event)
    return None


def _without(text: str, found: Spot, kept: Collection[str]) -> str:
    """Without the entry, or without the outermost container that holds nothing else."""
    names = ["", found.event, "hooks"][
        -len(found.way) + 1 :
    ]  # from the inside out; without a group the first is not there
    step = 0
    for name in names:
        if name in kept or len(items(text, found.way[step][0])) > 1:
            break
        step += 1
    return jsontext.remove(text, *found.way[step])
