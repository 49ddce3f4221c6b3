"""The two ends of a transcript: its last lines backwards, and its beginning. How much is read has a bound."""

from __future__ import annotations

import contextlib
import os

from contract import openable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

KIB = 1024
FIRST_BLOCK = 16 * KIB
FURTHEST = 256 * KIB  # as far back as it is read
HEAD = 32 * KIB


class Ends:
    """An open transcript. It may shrink while it is read, and then there is simply less."""

    def __init__(self, fd: int, size: int) -> None:
        self._fd, self._size = fd, size
        self.read = 0  # bytes from the end, so far

    def backwards(self) -> Iterator[bytes]:
        """The lines, the last first; not one that begins further away than FURTHEST."""
        start, floor, step, rest = self._size, max(0, self._size - FURTHEST), FIRST_BLOCK, b""
        while start > floor:
            step = min(step, start - floor)
            start -= step
            block = os.pread(self._fd, step, start)
            self.read += step
            if len(block) < step:
                return
            rest, *whole = (block + rest).split(b"\n")
            yield from (line for line in reversed(whole) if line)
            step *= 2
        if start == 0 and rest:
            yield rest

    def head(self) -> list[bytes]:
        """The first lines; none where the way backwards has come as far."""
        return os.pread(self._fd, HEAD, 0).split(b"\n")[:-1] if self.read < self._size else []


@contextlib.contextmanager
def opened(path: str) -> Iterator[Ends]:
    """Raises OSError, also for a file that is none to open, and ValueError for a name that no file can have."""
    openable.check(os.stat(path))
    fd = openable.opened(path)
    try:
        now = os.fstat(fd)
        openable.check(now)
        yield Ends(fd, now.st_size)
    finally:
        os.close(fd)
