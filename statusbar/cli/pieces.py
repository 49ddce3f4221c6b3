"""A line of text as pieces, each in one style."""

from __future__ import annotations

from contract.named_tuple import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from statusbar.text.symbols import Look

GAP = "  "


class Piece(NamedTuple):
    """A stretch of text in one style: '' (the terminal's own), 'bold', 'heading' or a colour; colours are for signs.

    Words have the terminal's own colour, which can be read on any background: no theme promises that of another one.
    """

    text: str
    style: str = ""


Line = tuple[Piece, ...]


def signed(look: Look, words: str) -> Line:
    """Only the sign is coloured."""
    return Piece(look.symbol, look.colour), Piece(f" {words}")
