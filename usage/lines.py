"""The new lines of a transcript, from where the last look ended, in bounded memory."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

BLOCK = 1 << 20
LONGEST = 16 << 20  # a longer line is passed over: no answer is as long, the results of calls may be


class Place(NamedTuple):
    """Where to go on: at the beginning of a line, or inside a long one that is passed over."""

    offset: int = 0
    inside: bool = False


class Cutter:
    """Cuts a stretch of a file into whole lines. `place` is where the next look goes on."""

    def __init__(self, fd: int, place: Place) -> None:
        self.place = place
        self._fd, self._half = fd, b""

    def lines(self, end: int) -> Iterator[bytes]:
        """Up to `end`; half a line there is left for the next look."""
        at = self.place.offset
        while at < end and (block := os.pread(self._fd, min(BLOCK, end - at), at)):
            at += len(block)
            *whole, rest = (self._half + block).split(b"\n")
            if whole and self.place.inside:
                del whole[0]
                self.place = Place(at - len(rest))
            yield from (line for line in whole if len(line) <= LONGEST)
            self._hold(rest, at)

    def _hold(self, rest: bytes, at: int) -> None:
        is_inside = self.place.inside or len(rest) > LONGEST
        self._half = b"" if is_inside else rest
        self.place = Place(at - len(self._half), is_inside)
