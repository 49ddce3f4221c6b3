"""JSON that the usual way cannot read: a number of thousands of digits, or values nested a thousand deep.

Of an object every member that can be read is; one that is nested too deeply becomes None. An event is known by its
plain members, so it is not lost for what a tool was given.
"""

from __future__ import annotations

from json import JSONDecoder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

OPENING, CLOSING, SPACE = "{[", "}]", " \t\n\r"


def decode(text: str) -> Any:
    """One value, or ValueError."""
    try:
        value, end = _value(text, 0)
        if isinstance(value, _TooDeep):
            value, end = _members(text)
    except (StopIteration, IndexError, RecursionError):
        raise ValueError("not JSON") from None
    if text[end:].strip(SPACE):
        raise ValueError("more than one JSON value")
    return value


class _TooDeep:
    """In place of a value that cannot be read."""


def _value(text: str, at: int) -> tuple[Any, int]:
    try:
        return READER.raw_decode(text, at)
    except RecursionError:
        return _TooDeep(), _end_of_value(text, at)


def _members(text: str) -> tuple[dict[str, Any], int]:
    """Of the object that the text begins with."""
    if text[0] != "{":
        raise ValueError("nested too deeply")
    members: dict[str, Any] = {}
    at = 0
    while text[at] != "}":
        name, at = READER.raw_decode(text, _after_space(text, at + 1))
        at = _after_space(text, at)
        if not isinstance(name, str) or text[at] != ":":
            raise ValueError("not JSON")
        value, at = _value(text, _after_space(text, at + 1))
        members[name] = None if isinstance(value, _TooDeep) else value
        at = _after_space(text, at)
        if text[at] not in ",}":
            raise ValueError("not JSON")
    return members, at + 1


def _end_of_value(text: str, at: int) -> int:
    """Behind the bracket that closes the one that stands here; brackets in texts do not count."""
    depth = 0
    while True:
        char = text[at]
        if char == '"':
            at = READER.raw_decode(text, at)[1]
            continue
        depth += (char in OPENING) - (char in CLOSING)
        at += 1
        if not depth:
            return at


def _after_space(text: str, at: int) -> int:
    while text[at] in SPACE:
        at += 1
    return at


def _number(digits: str) -> float:
    """As far as a float goes: nobody counts with it."""
    return float(digits)


READER = JSONDecoder(strict=False, parse_int=_number)
