"""The two ends of a transcript: its last lines backwards, and its beginning. How much is read has a bound."""

from __future__ import annotations

import contextlib
import os

from contract import transcript_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

KIB = 1024
FIRST_BLOCK = 16 * KIB
FURTHEST = 256 * KIB  # as far back as it is read
HEAD = 32 * KIB


class Ends:
    """An open transcript. It may shrink while it is read, and then there is simply less."""

    def __init__(self, fd: int, size: int, path: str) -> None:
        self._fd, self._size, self.path = fd, size, path
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
        return self.beginning() if self.read < self._size else []

    def beginning(self) -> list[bytes]:
        """The first lines, whether they were seen or not."""
        return os.pread(self._fd, HEAD, 0).split(b"\n")[:-1]


@contextlib.contextmanager
def opened(path: str) -> Iterator[Ends]:
    """Raises OSError, also for a file that is none to open, and ValueError for a name that no file can have."""
    transcript_file.check(os.stat(path))
    fd = transcript_file.opened(path)
    try:
        now = os.fstat(fd)
        transcript_file.check(now)
        yield Ends(fd, now.st_size, path)
    finally:
        os.close(fd)


def note(path: str, limit: int) -> bytes:
    """A small file that a client keeps beside a transcript; nothing of one that is none to read, or larger."""
    found = transcript_file.beginning(path, limit + 1)
    return found if len(found) <= limit else b""
