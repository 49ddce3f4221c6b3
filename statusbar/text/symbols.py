"""What a state looks like: told by shape and word as well as by colour."""

from __future__ import annotations

from typing import NamedTuple

from contract.status import NEEDS_APPROVAL, WAITING, WORKING


class Look(NamedTuple):
    symbol: str
    plain: str  # the symbol for those who can show nothing but ASCII
    word: str
    colour: str
    past: str = ""  # the word for what was so when somebody knew


LOOKS = {
    NEEDS_APPROVAL: Look("▲", "!", "needs approval", "red", "needed approval"),
    WORKING: Look("●", "*", "working", "green", "worked"),
    WAITING: Look("○", "o", "waiting", "blue", "waited"),
}
PLURALS = {NEEDS_APPROVAL: "need approval"}  # of the others it is the same word
CALM = Look("·", "-", "nothing to do", "grey")
TROUBLE = Look("✕", "x", "state unknown", "yellow")
OLD, OLD_COLOUR = "?", "grey"  # behind the symbol of what nobody keeps up to date
# Red, green and blue of each colour, for those who draw in any they like.
COLOURS = {
    "red": (0xE5, 0x48, 0x4D),
    "green": (0x30, 0xA4, 0x6C),
    "blue": (0x3E, 0x8E, 0xD0),
    "yellow": (0xD9, 0xA5, 0x14),
    "grey": (0x8B, 0x8D, 0x98),
}
HEX = {name: "#" + bytes(colour).hex() for name, colour in COLOURS.items()}


def seen(state: str, *, is_old: bool) -> Look:
    """As it is drawn: what was last known of it looks like that, without any colour too."""
    look = LOOKS[state]
    return look._replace(symbol=look.symbol + OLD, word=look.past, colour=OLD_COLOUR) if is_old else look


def counted(state: str, number: int, *, is_old: bool = False) -> str:
    """Such as "1 needs approval" and "2 need approval"."""
    word = LOOKS[state].word
    if is_old:
        return f"{number} {LOOKS[state].past}"
    return f"{number} {word if number == 1 else PLURALS.get(state, word)}"


def in_ascii(text: str) -> str:
    """Our own symbols as ASCII; everything else that is none becomes a question mark."""
    for look in (*LOOKS.values(), CALM, TROUBLE):
        text = text.replace(look.symbol, look.plain)
    return text.replace("…", "~").replace("“", '"').replace("”", '"').encode("ascii", "replace").decode()
