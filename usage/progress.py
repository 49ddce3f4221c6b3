"""How far a long first look has come, on one line of a terminal that is gone at the end."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self, TextIO

MB = 1_000_000
AFTER_S, EVERY_S = 0.5, 0.1
ERASE = "\r\x1b[K"


class Progress:
    """Says nothing before half a second has gone by, nor where nobody looks."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._next = time.monotonic() + AFTER_S
        self._shown = False

    def __enter__(self) -> Self:
        return self

    def __call__(self, done: int, whole: int) -> None:
        now = time.monotonic()
        if now < self._next or self._stream is None or not self._stream.isatty():
            return
        self._next, self._shown = now + EVERY_S, True
        self._stream.write(f"{ERASE}Counting transcripts: {done // MB:,} of {whole // MB:,} MB")
        self._stream.flush()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown:
            self._stream.write(ERASE)
            self._stream.flush()
