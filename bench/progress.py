"""What is being measured right now, for whoever waits: on standard error, so that the table can go elsewhere."""

from __future__ import annotations

import sys
from typing import TextIO

CLEAR = "\r\x1b[K"


class Progress:
    """One line that changes on a terminal; elsewhere a line for each part."""

    def __init__(self, parts: int, out: TextIO = sys.stderr) -> None:
        self._parts, self._done, self._out = parts, 0, out
        self._is_live = out.isatty()

    def begins(self, name: str, words: str) -> None:
        self._done += 1
        told = f"[{self._done}/{self._parts}] {name}: {words}"
        self._write(f"{CLEAR}{told[:79]}" if self._is_live else f"{told}\n")

    def ends(self) -> None:
        if self._is_live:
            self._write(CLEAR)

    def _write(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()
