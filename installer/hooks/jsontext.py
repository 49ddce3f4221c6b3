"""JSON as a person wrote it: small edits that leave every other character where it was.

Each function takes the whole text and a position in it, and gives the whole text back. The text went through
`parse` before, so the scanning here meets no surprises. Comments stay: where things are is looked up in the text with
blanks in their place, and the text itself is edited.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from installer.hooks.jsoncomments import after_comments, blanked, joined

SPACE = " \t\r\n"
CLOSERS = {"{": "}", "[": "]"}
# Python reads these three; the client does not.
CONSTANTS = re.compile(r'"(?:[^"\\]|\\.)*"|(-?Infinity|NaN)')


def _number(digits: str) -> int | str:
    # Python refuses to convert thousands of digits, which no rule of JSON forbids.
    return int(digits) if len(digits) < LONGEST_NUMBER else digits


LONGEST_NUMBER = 300
DECODER = json.JSONDecoder(parse_int=_number)


class Item(NamedTuple):
    """A member of an object or an element of an array, and where it stands."""

    key: str | None
    start: int
    at: int
    end: int
    value: Any


def parse(text: str, *, comments: bool = False) -> Any:
    """The value of the text, which may have comments or not; json.JSONDecodeError says where it is broken."""
    text = blanked(text) if comments else text
    try:
        value = DECODER.decode(text)
    except RecursionError:
        raise json.JSONDecodeError("Nested too deeply", text, 0) from None
    for found in CONSTANTS.finditer(text) if "NaN" in text or "Infinity" in text else ():
        if found[1]:
            raise json.JSONDecodeError(f"{found[1]} is not JSON", text, found.start(1))
    return value


def root(text: str) -> int:
    """Where the value of the whole text begins."""
    return _skip(blanked(text), 0)


def items(text: str, at: int) -> list[Item]:
    """What the object or array that begins here holds, in order."""
    text = blanked(text)
    closer = CLOSERS[text[at]]
    found: list[Item] = []
    pos = _skip(text, at + 1)
    while text[pos] != closer:
        item = _item(text, pos, keyed=closer == "}")
        found.append(item)
        pos = _skip(text, item.end)
        pos = _skip(text, pos + 1) if text[pos] == "," else pos
    return found


def member(text: str, at: int, key: str) -> Item | None:
    """The member that counts: of equal keys, the last."""
    return next((item for item in reversed(items(text, at)) if item.key == key), None)


def append(text: str, at: int, key: str | None, value: Any) -> str:
    """Add to the end of an object or array, in the style of its last item or else of the whole text."""
    held = items(text, at)
    if not held:
        return _fill(text, at, key, value)
    last = held[-1]
    space = _space(text, held[-2].end if len(held) > 1 else at + 1, last.start)
    # What is said behind the last item stays there. After such a comment only a new line goes on.
    end = after_comments(text, last.end) if "\n" in space else last.end
    added = space + _render(text, key, value, space)
    return text[: last.end] + "," + text[last.end : end] + added + text[end:]


def replace(text: str, item: Item, value: Any) -> str:
    """Put another value in the item's place."""
    line = text[text.rfind("\n", 0, item.at) + 1 : item.at]
    indent = line[: len(line) - len(line.lstrip())]
    space = "\n" + indent if "\n" in text[item.at : item.end] else ""
    return text[: item.at] + _render(text, None, value, space) + text[item.end :]


def remove(text: str, at: int, index: int) -> str:
    """Take one item, and the comma that came with it, out of the object or array that begins here."""
    held = items(text, at)
    item = held[index]
    if len(held) == 1:
        return _cut(text, at + 1, item, _skip(blanked(text), item.end))
    if index == len(held) - 1:
        return _cut(text, held[index - 1].end, item, item.end)
    after = _without_comma(text, item.end, held[index + 1].start)
    return text[: item.start] + after.lstrip() + text[held[index + 1].start :]


def _cut(text: str, start: int, item: Item, end: int) -> str:
    """Without the item and the space and comma around it; comments there stay."""
    before, after = _without_comma(text, start, item.start), text[item.end : end]
    if not before.strip() and not after.strip():
        return text[:start] + text[end:]
    return joined(text[:start] + before, text[item.end :])


def _without_comma(text: str, start: int, end: int) -> str:
    """The space and the comments between two items."""
    comma = blanked(text).find(",", start, end)
    return text[start:end] if comma < 0 else text[start:comma] + text[comma + 1 : end]


def _space(text: str, start: int, end: int) -> str:
    """What separates the last item from the one before it; without what is said there."""
    space = blanked(text)[start:end].rpartition(",")[2]
    if space == text[end - len(space) : end]:
        return space or " "
    line = text[start:end].rpartition("\n")[2]
    return _newline(text) + line[: len(line) - len(line.lstrip())] if "\n" in space else " "


def _skip(text: str, pos: int) -> int:
    while pos < len(text) and text[pos] in SPACE:
        pos += 1
    return pos


def _item(text: str, start: int, *, keyed: bool) -> Item:
    key, at = None, start
    if keyed:
        key, end = DECODER.raw_decode(text, start)
        at = _skip(text, _skip(text, end) + 1)
    value, end = DECODER.raw_decode(text, at)
    return Item(key, start, at, end, value)


def _fill(text: str, at: int, key: str | None, value: Any) -> str:
    """Into an empty object or array; on lines of its own unless the whole text is a single line."""
    end = _skip(blanked(text), at + 1)
    said = text[at + 1 : end].rstrip()
    unit = _unit(text) or ("  " if said else None)
    if unit is None:
        return text[: at + 1] + _render(text, key, value, "") + text[end:]
    line = text[text.rfind("\n", 0, at) + 1 : at]
    base = _newline(text) + line[: len(line) - len(line.lstrip())]
    return text[: at + 1] + said + base + unit + _render(text, key, value, base + unit) + base + text[end:]


def _render(text: str, key: str | None, value: Any, space: str) -> str:
    """On lines of its own if the space before it holds a line break, else on one line."""
    unit = (_unit(text) or "  ") if "\n" in space else None
    words = json.dumps(value, ensure_ascii=False, indent=unit)
    words = words.replace("\n", _newline(text) + space.rpartition("\n")[2])
    return words if key is None else f"{json.dumps(key, ensure_ascii=False)}: {words}"


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _unit(text: str) -> str | None:
    """One step of indentation; None if all of the text is on one line."""
    at = root(text)
    held = items(text, at)
    space = blanked(text)[at + 1 : held[0].start] if held else "\n  "
    if "\n" in space:
        line = text[: held[0].start].rpartition("\n")[2] if held else "  "
        return line[: len(line) - len(line.lstrip())] if line.strip() else line
    return "  " if "\n" in text.strip() else None
