"""Texts as wide as a terminal shows them."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from contract.clean import clean, labelled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from contract.status import AgentStatus, SessionStatus

ELLIPSIS = "…"
# They are drawn over the character before them, and `combining` does not know them.
JAMO_TAILS = range(0x1160, 0x1200)
# They change how wide a terminal draws the character before them, each terminal as it likes.
VARIATIONS = frozenset(map(chr, [*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)]))
HIGHEST_TOWER = 4


def tidy(text: object, limit: int) -> str:
    """An outside text, fit to be drawn: one clean line whose marks do not climb over the line above."""
    found = clean(text, limit)
    return found if found.isascii() else "".join(_without_towers(found)).strip()


def told(one: SessionStatus | AgentStatus, limit: int) -> str:
    """A detail, fit to be drawn; what in it is an agent's own text stands in quotes."""
    return tidy(labelled(one.detail, one.quote), limit)


def width(text: str) -> int:
    """How many cells it takes: two for a wide character, none for one drawn over its neighbour."""
    return len(text) if text.isascii() else sum(map(_cells, text))


def cut(text: str, room: int) -> str:
    """The text, or as much of it as fits and an ellipsis."""
    if width(text) <= room:
        return text
    left = room - 1
    if left < 0:
        return ""
    kept = []
    for char in text:
        left -= _cells(char)
        if left < 0:
            break
        kept.append(char)
    return "".join(kept) + ELLIPSIS


def pad(text: str, room: int, *, right: bool = False) -> str:
    """Cut, or filled with blanks, to exactly this many cells; with `right`, the blanks come first."""
    text = cut(text, room)
    blanks = " " * (room - width(text))
    return blanks + text if right else text + blanks


def wrap(text: str, room: int) -> list[str]:
    """The text in lines that fit, broken between words; a word that is too long is cut."""
    lines: list[str] = []
    for word in text.split():
        if lines and width(lines[-1]) + 1 + width(word) <= room:
            lines[-1] += " " + word
        else:
            lines.append(cut(word, room))
    return lines


def _cells(char: str) -> int:
    if char.isascii():
        return 1
    if unicodedata.category(char) in ("Mn", "Me", "Cf") or ord(char) in JAMO_TAILS:
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1


def _without_towers(text: str) -> Iterator[str]:
    height = 0
    for char in text:
        height = 0 if _cells(char) else height + 1
        if height <= HIGHEST_TOWER and char not in VARIATIONS:
            yield char
