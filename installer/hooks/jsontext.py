"""JSON as a person wrote it: small edits that leave every other character where it was.

Each function takes the whole text and a position in it, and gives the whole text back. The text went through
`parse` before, so the scanning here meets no surprises.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

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


def parse(text: str) -> Any:
    """The value of the text; json.JSONDecodeError says where it is broken."""
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
    return _skip(text, 0)


def items(text: str, at: int) -> list[Item]:
    """What the object or array that begins here holds, in order."""
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
    before = held[-2].end if len(held) > 1 else at + 1
    space = text[before : last.start].rpartition(",")[2] or " "
    return text[: last.end] + "," + space + _render(text, key, value, space) + text[last.end :]


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
        return text[: at + 1] + text[_skip(text, item.end) :]
    if index == len(held) - 1:
        return text[: held[index - 1].end] + text[item.end :]
    return text[: item.start] + text[held[index + 1].start :]


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
    end = _skip(text, at + 1)
    unit = _unit(text)
    if unit is None:
        return text[: at + 1] + _render(text, key, value, "") + text[end:]
    line = text[text.rfind("\n", 0, at) + 1 : at]
    base = _newline(text) + line[: len(line) - len(line.lstrip())]
    return text[: at + 1] + base + unit + _render(text, key, value, base + unit) + base + text[end:]


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
    space = text[at + 1 : held[0].start] if held else "\n  "
    if "\n" in space:
        return space.rpartition("\n")[2]
    return "  " if "\n" in text.strip() else None
