"""What a state looks like: its shape and its word say the same as its colour."""

from __future__ import annotations

from functools import cache

from contract.named_tuple import NamedTuple
from contract.status import NEEDS_APPROVAL, WAITING, WORKING


class Look(NamedTuple):
    symbol: str
    plain: str  # the symbol in ASCII
    word: str
    colour: str
    past: str = ""  # the word when the state is out of date


LOOKS = {
    NEEDS_APPROVAL: Look("▲", "!", "needs approval", "red", "needed approval"),
    WORKING: Look("●", "*", "working", "green", "worked"),
    WAITING: Look("○", "o", "waiting", "blue", "waited"),
}
QUESTION, QUESTION_PAST = "needs you", "needed you"  # instead of "needs approval", where an answer is needed
# The words after a number, where they differ: one, several, out of date. Approvals and questions are counted together.
COUNTED = {NEEDS_APPROVAL: ("needs you", "need you", "needed you")}
CALM = Look("·", "-", "nothing to do", "grey")
TROUBLE = Look("✕", "x", "state unknown", "yellow")
OLD, OLD_COLOUR = "?", "grey"  # after the symbol of a state that is out of date
# A stretch of time in a bar of text, and the same in ASCII: the higher the block, the more it matters.
BARS = {NEEDS_APPROVAL: ("█", "#"), WORKING: ("▄", "="), WAITING: ("▁", "_")}
BAR_PART = ("▆", "+")  # needs approval, for less than half of the stretch
BAR_UNKNOWN = ("░", "?")
# Red, green and blue of each colour, for front ends that can draw any colour. For signs, on light and on dark panels:
# lighter or darker ones would stand out from one of the two by less than 3:1. For text they are too pale.
COLOURS = {
    "red": (0xE5, 0x48, 0x4D),
    "green": (0x2B, 0x9A, 0x66),
    "blue": (0x3E, 0x8E, 0xD0),
    "yellow": (0xB3, 0x7A, 0x00),
    "grey": (0x80, 0x83, 0x8D),
}
HEX = {name: "#" + bytes(colour).hex() for name, colour in COLOURS.items()}


@cache
def seen(state: str, *, is_old: bool, is_question: bool = False) -> Look:
    """The look to draw. A state that is out of date must look so without colours too."""
    look = LOOKS[state]._replace(word=QUESTION, past=QUESTION_PAST) if is_question else LOOKS[state]
    return look._replace(symbol=look.symbol + OLD, word=look.past, colour=OLD_COLOUR) if is_old else look


def counted(state: str, number: int, *, is_old: bool = False) -> str:
    """Such as "1 needs you" and "2 need you"."""
    look = LOOKS[state]
    one, several, past = COUNTED.get(state, (look.word, look.word, look.past))
    return f"{number} {past if is_old else one if number == 1 else several}"


def in_ascii(text: str) -> str:
    """The symbols above as ASCII; every other character outside ASCII becomes a question mark."""
    for look in (*LOOKS.values(), CALM, TROUBLE):
        text = text.replace(look.symbol, look.plain)
    for bar, plain in (*BARS.values(), BAR_PART, BAR_UNKNOWN):
        text = text.replace(bar, plain)
    return text.replace("…", "~").replace("“", '"').replace("”", '"').encode("ascii", "replace").decode()
