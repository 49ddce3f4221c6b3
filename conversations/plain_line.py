"""One line of what an agent wrote: the first that says something, without its Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contract.clean import clean

if TYPE_CHECKING:
    from collections.abc import Iterator

FENCES = ("```", "~~~")
MARKERS = "#>*-+| \t"
PICTURES = (
    ("\u2300", "\u23ff"),
    ("\u2600", "\u2712"),
    ("\u2718", "\u27bf"),
    ("\ufe00", "\ufe0f"),
    ("\U0001f000", "\U0001ffff"),
)
LONGEST = 1 << 14  # as much of a text as is looked at


def first_sentence(text: object, limit: int) -> str:
    """Not a heading if there is anything else; what is in a block of code does not count."""
    lines = list(_lines(text))
    plain = (line for line in lines if not line.startswith("#"))
    return clean(_bare(next(plain, lines[0] if lines else "")), limit)


def headline(text: object, limit: int) -> str:
    """The first line that says something, a heading or not."""
    return clean(_bare(next(_lines(text), "")), limit)


def _lines(text: object) -> Iterator[str]:
    fenced = False
    for line in text[:LONGEST].splitlines() if isinstance(text, str) else ():
        bare = line.strip()
        if bare.startswith(FENCES):
            fenced = not fenced
        elif not fenced and any(char.isalnum() for char in bare):
            yield bare


def _bare(line: str) -> str:
    """Pictures go too: each terminal draws them as wide as it likes."""
    if not line.isascii():
        line = "".join(char for char in line if not any(first <= char <= last for first, last in PICTURES))
    return line.lstrip(MARKERS).replace("**", "").rstrip(" *|#")
