"""Texts as wide as a terminal shows them."""

from __future__ import annotations

from contract.clean import clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ELLIPSIS = "…"
OPENS, CLOSES = "“”"  # as `contract.clean.quoted` has them
# One cell each: Latin, Greek and Cyrillic, their punctuation, and what we draw ourselves. Only the rest is asked of
# wcwidth, because to import it takes 20 ms, and `yourturn status` as a whole takes 50.
PLAIN = ((0x20, 0x7F), (0xA0, 0xAD), (0xAE, 0x300), (0x370, 0x483), (0x48A, 0x530), (0x2010, 0x2028))
NARROW = frozenset("●○▲✕✓✗─│├└→↑↓█▆▄▁░").union(*(map(chr, range(*span)) for span in PLAIN))
# They change how wide a terminal draws the character before them, each terminal as it likes.
VARIATIONS = frozenset(map(chr, [*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)]))
HIGHEST_TOWER = 4


def tidy(text: object, limit: int) -> str:
    """Text from outside, safe to draw: one clean line whose combining marks do not cover the line above."""
    cleaned = clean(text, limit)
    if cleaned.isascii():
        return cleaned
    if len(cleaned) == limit and cleaned.endswith(ELLIPSIS) and _is_open(cleaned):
        cleaned = _ended(cleaned[: limit - 2])
    return cleaned if _is_narrow(cleaned) else "".join(_without_towers(cleaned)).strip()


def width(text: str) -> int:
    """How many cells it takes: two for a wide character, none for one drawn over its neighbour."""
    return len(text) if _is_narrow(text) else sum(cells for _, cells in _clusters(text))


def cut(text: str, room: int) -> str:
    """The text, or as much of it as fits and an ellipsis. A quote that is cut is closed."""
    if width(text) <= room:
        return text
    if room < 1:
        return ""
    kept = _beginning(text, room - 1)
    if not _is_open(kept):
        return kept + ELLIPSIS
    return _ended(_beginning(text, room - 2))


def pad(text: str, room: int, *, right: bool = False) -> str:
    """Cut, or filled with blanks, to exactly this many cells; with `right`, the blanks come first."""
    text = cut(text, room)
    filled = room + len(text) - width(text)  # in characters
    return text.rjust(filled) if right else text.ljust(filled)


def wrap(text: str, room: int) -> list[str]:
    """The text in lines that fit, broken between words; a word that is too long is cut."""
    lines: list[str] = []
    for word in text.split():
        if lines and width(lines[-1]) + 1 + width(word) <= room:
            lines[-1] += " " + word
        else:
            lines.append(cut(word, room))
    return lines


def fold(text: str, room: int) -> list[str]:
    """The whole text in lines that fit, every blank in its place; at least one line."""
    lines = [""]
    left = room
    for cluster, cells in _clusters(text):
        if cells > left and lines[-1]:
            lines.append("")
            left = room
        lines[-1] += cluster
        left -= cells
    return lines


def _beginning(text: str, room: int) -> str:
    if _is_narrow(text):
        return text[: max(room, 0)]
    kept = []
    for cluster, cells in _clusters(text):
        room -= cells
        if room < 0:
            break
        kept.append(cluster)
    return "".join(kept)


def _ended(kept: str) -> str:
    return kept + (ELLIPSIS + CLOSES if _is_open(kept) else ELLIPSIS)


def _is_open(text: str) -> bool:
    return text.rfind(OPENS) > text.rfind(CLOSES)


def _is_narrow(text: str) -> bool:
    return text.isascii() or NARROW.issuperset(text)


def _clusters(text: str) -> Iterable[tuple[str, int]]:
    """What a terminal draws as one, and how many cells it takes."""
    if _is_narrow(text):
        return ((char, 1) for char in text)
    from wcwidth import iter_graphemes, wcswidth  # noqa: PLC0415 - see NARROW

    return ((one, max(wcswidth(one), 0)) for one in iter_graphemes(text))


def _without_towers(text: str) -> Iterator[str]:
    from wcwidth import wcwidth  # noqa: PLC0415 - see NARROW

    height = HIGHEST_TOWER  # with nothing below it, a mark would be drawn over what somebody else puts in front
    for char in text:
        height = height + 1 if not wcwidth(char) else HIGHEST_TOWER if char.isspace() else 0
        if height <= HIGHEST_TOWER and char not in VARIATIONS:
            yield char
