"""The words of a shell line, as far as they are needed to show a command. Pure."""

from __future__ import annotations

import re

PIECE = re.compile(r"'([^']*)(?:'|\Z)|\"((?:[^\"\\]|\\.)*)(?:\"|\Z)|\\(.)|([^\s'\"\\]+)", re.DOTALL)
ESCAPED = re.compile(r"\\([$`\"\\!\n])")
LONGEST = 4096


def first_word(text: str) -> str:
    """The first word, unquoted. A bound may have cut its end off."""
    pieces, at, room = [], 0, LONGEST
    while room > 0 and (found := PIECE.match(text, at)):
        single, double, escaped, bare = found.groups()
        piece = ESCAPED.sub(r"\1", double) if double is not None else single or escaped or bare or ""
        pieces.append(piece[:room])
        room -= len(piece)
        at = found.end()
    return "".join(pieces)
