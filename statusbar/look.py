"""What a state looks like: told by shape and word as well as by colour."""

from __future__ import annotations

from typing import NamedTuple

from contract.status import NEEDS_APPROVAL, WAITING, WORKING


class Look(NamedTuple):
    symbol: str
    plain: str  # the symbol for those who can show nothing but ASCII
    word: str
    colour: str


LOOKS = {
    NEEDS_APPROVAL: Look("▲", "!", "needs approval", "red"),
    WORKING: Look("●", "*", "working", "green"),
    WAITING: Look("○", "o", "waiting", "blue"),
}
CALM = Look("·", "-", "nothing to do", "grey")
TROUBLE = Look("✕", "x", "the watcher does not run", "yellow")


def in_ascii(text: str) -> str:
    """Our own symbols as ASCII; everything else that is none becomes a question mark."""
    for look in (*LOOKS.values(), CALM, TROUBLE):
        text = text.replace(look.symbol, look.plain)
    return text.replace("…", "~").encode("ascii", "replace").decode()
