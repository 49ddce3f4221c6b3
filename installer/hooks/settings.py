"""Our entries in the text of a settings.json: put in, found, taken out. Pure."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from installer.hooks import jsontext
from installer.hooks.entries import Entry, group, is_ours
from installer.hooks.jsontext import Item, items, member, root

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping


KINDS = {
    dict: "an object",
    list: "a list",
    str: "a text",
    int: "a number",
    float: "a number",
    bool: "true or false",
    type(None): "null",
}


class UnfitError(ValueError):
    """The text cannot be edited safely; line and column count from one."""

    def __init__(self, why: str, text: str, at: int, remedy: str = "make it plain JSON (no comments)") -> None:
        super().__init__(why)
        self.line = text.count("\n", 0, at) + 1
        self.column = at - text.rfind("\n", 0, at)
        self.remedy = remedy
        """What to do with that line."""


class Spot(NamedTuple):
    """One of our entries, and the way up from it: where each container begins, and our place in it."""

    event: str
    hook: Item
    way: tuple[tuple[int, int], ...]


def parse(text: str) -> dict[str, Any]:
    """The settings; an empty text has none."""
    if not text.strip():
        return {}
    try:
        value = jsontext.parse(text)
    except json.JSONDecodeError as error:
        raise UnfitError(error.msg, text, error.pos) from None
    if not isinstance(value, dict):
        raise _wrong("the settings are", value, dict, text, root(text))
    return value


def check(text: str, wanted: Collection[str]) -> None:
    """Whether entries for these events have a place; UnfitError if not."""
    if "hooks" not in parse(text):
        return
    hooks = _only(text, root(text), "hooks", dict)
    for event in wanted:
        if event in hooks.value:
            _only(text, hooks.at, event, list)


def merge(text: str, wanted: Mapping[str, Entry]) -> str:
    """The text with exactly these entries of ours: older ones updated in place, missing ones added."""
    check(text, wanted)
    text = text if text.strip() else "{}\n"
    for event, entry in wanted.items():
        text = _place(text, event, entry)
    while stale := _stale(text, wanted):
        text = _without(text, stale, ())
    return text


def unmerge(text: str, kept: Collection[str] = ()) -> str:
    """The text without our entries and what is empty for their lack, save the keys that were there before."""
    while found := ours(text):
        text = _without(text, found[0], kept)
    return text


def ours(text: str) -> list[Spot]:
    """All entries with our mark, also those that an equal key further down hides from the client."""
    return list(_walk(text)) if parse(text) else []


def containers(text: str) -> frozenset[str]:
    """The keys that uninstalling must not take away: `hooks` and the events in it."""
    hooks = parse(text).get("hooks")
    return frozenset(["hooks", *hooks]) if isinstance(hooks, dict) else frozenset()


def _walk(text: str) -> Iterator[Spot]:
    top = root(text)
    for i, hooks in _within(text, top, dict, "hooks"):
        for j, event in _within(text, hooks.at, list):
            for k, one in _within(text, event.at, dict):
                for inner in (item for _, item in _within(text, one.at, list, "hooks")):
                    for m, hook in enumerate(items(text, inner.at)):
                        if is_ours(hook.value):
                            way = ((inner.at, m), (event.at, k), (hooks.at, j), (top, i))
                            yield Spot(str(event.key), hook, way)


def _within(text: str, at: int, kind: type, key: str | None = None) -> list[tuple[int, Item]]:
    """The items of that kind, and of that key if one is named, with their places."""
    named = [(i, item) for i, item in enumerate(items(text, at)) if key is None or item.key == key]
    return [(i, item) for i, item in named if isinstance(item.value, kind)]


def _only(text: str, at: int, key: str, kind: type) -> Item:
    first, *more = [item for item in items(text, at) if item.key == key]
    if more:
        why = f'a second "{key}" hides the first from the client'
        raise UnfitError(why, text, more[0].start, f'join it with the first "{key}"')
    if not isinstance(first.value, kind):
        raise _wrong(f'"{key}" is', first.value, kind, text, first.at)
    return first


def _wrong(what: str, value: Any, kind: type, text: str, at: int) -> UnfitError:
    wanted, empty = ("an object", "{}") if kind is dict else ("an array", "[]")
    why = f"{what} not {wanted}, which Claude Code wants there, but {KINDS[type(value)]}"
    return UnfitError(why, text, at, f"make it {wanted}, {empty} if there is nothing to keep")


def _place(text: str, event: str, entry: Entry) -> str:
    found = next((one for one in ours(text) if one.event == event), None)
    if found:
        return text if found.hook.value == entry else jsontext.replace(text, found.hook, entry)
    hooks = member(text, root(text), "hooks")
    if hooks is None:
        return jsontext.append(text, root(text), "hooks", {event: [group(entry)]})
    here = member(text, hooks.at, event)
    if here is None:
        return jsontext.append(text, hooks.at, event, [group(entry)])
    return jsontext.append(text, here.at, None, group(entry))


def _stale(text: str, wanted: Mapping[str, Entry]) -> Spot | None:
    """One that is too many: a second of its event, or of an event that is no longer asked for."""
    seen: set[str] = set()
    for found in ours(text):
        if found.event not in wanted or found.event in seen:
            return found
        seen.add(found.event)
    return None


def _without(text: str, found: Spot, kept: Collection[str]) -> str:
    """Without the entry, or without the outermost container that holds nothing else."""
    step = 0
    for name in ("", found.event, "hooks"):
        if name in kept or len(items(text, found.way[step][0])) > 1:
            break
        step += 1
    return jsontext.remove(text, *found.way[step])
