"""The new lines of a file that grows: what the watcher sees of a transcript."""

from __future__ import annotations

import os
import re
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from contract import transcript_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Gist = Callable[[bytes, bytes], bytes]

KIB = 1024
FIRST_BLOCK = 16 * KIB
FIRST_SIGHT = 2048 * KIB  # as far back as a first look goes
BLOCK = 256 * KIB
AT_ONCE = 512 * KIB  # as much as one look reads on
JUMP = 256 * 1024 * KIB  # who is further behind starts afresh, as at first sight
LONGEST_LINE = 4096 * KIB
HEAD, EDGE = 4 * KIB, 64

_STAMP = re.compile(rb'"timestamp": ?"(\d{4}-\d\d-\d\dT[\d:.]{8,15}Z)"')


def _dropped(_head: bytes, _stamp: bytes) -> bytes:
    return b""


class Trouble(Enum):
    """Why there is nothing to read."""

    GONE = "gone"
    DENIED = "permission denied"
    UNFIT = "not a readable file"


class News(NamedTuple):
    """What came since the last look."""

    lines: list[bytes]  # complete ones, in order
    fresh: bool = False  # they do not continue the lines before: forget those
    left: int = 0  # bytes that were there and are still to be read
    trouble: Trouble | None = None

    @property
    def more(self) -> bool:
        return self.left > 0


class Mark(NamedTuple):
    """A file that was read to its end: what one `stat` of it says for as long as there is nothing more."""

    path: str
    size: int
    changed_at: int
    file: int
    disk: int

    def stands(self) -> bool:
        """Asked of a thousand files at each poll."""
        try:
            now = os.stat(self.path)
        except (OSError, ValueError):
            return False
        return (now.st_size, now.st_mtime_ns, now.st_ino, now.st_dev) == self[1:]


class Tail:
    """Follows one file by its identity, so `path` may be set anew when the file was moved.

    No descriptor stays open between two looks, and a look at an unchanged file is one `stat`.
    """

    def __init__(self, path: str, enough: Callable[[bytes], bool], gist: Gist = _dropped) -> None:
        """`enough`: at first sight the file is read backwards until it says that nothing older is needed.

        `gist`: what to read in place of a line that is too long, from its head and its time.
        """
        self.path = path
        self._enough, self._gist = enough, gist
        self._file: tuple[int, int] | None = None
        self._looked: tuple[int, int] | None = None
        self._offset = 0
        self._mark = b""
        self._cutter = _Cutter(gist)
        self.cost = 0  # bytes that the latest look has read

    @property
    def is_seen(self) -> bool:
        """Whether there was a first sight of it."""
        return self._file is not None

    def mark(self) -> Mark | None:
        """None where it was not read to its end."""
        if self._file is None or self._looked is None or self._offset != self._looked[0]:
            return None
        return Mark(self.path, *self._looked, self._file[1], self._file[0])

    def is_unchanged(self) -> bool:
        """Whether there is certainly nothing to read."""
        try:
            return self._unchanged(os.stat(self.path))
        except (OSError, ValueError):
            return False

    def read_new(self, most: int = AT_ONCE) -> News:
        """As much as `most` bytes on from the last look; with 0 only whether there is something to read."""
        self.cost = 0
        try:
            return self._look(most)
        except (FileNotFoundError, NotADirectoryError):
            return News([], trouble=Trouble.GONE)
        except PermissionError:
            return News([], trouble=Trouble.DENIED)
        except (OSError, ValueError):  # ValueError: a name that no file can have
            return News([], trouble=Trouble.UNFIT)

    def _look(self, most: int) -> News:
        now = os.stat(self.path)
        if self._unchanged(now):
            return News([])
        transcript_file.check(now)
        if most <= 0:
            return News([], left=1)
        fd = transcript_file.opened(self.path)
        try:
            return self._read(fd, most)
        finally:
            os.close(fd)

    def _unchanged(self, now: os.stat_result) -> bool:
        same = self._file == (now.st_dev, now.st_ino) and self._looked == (now.st_size, now.st_mtime_ns)
        return same and self._offset == now.st_size

    def _read(self, fd: int, most: int) -> News:
        now = os.fstat(fd)
        transcript_file.check(now)
        fresh = not self._continues(fd, now) or now.st_size - self._offset > JUMP
        lines = self._first_sight(fd, now.st_size) if fresh else self._forward(fd, now.st_size, most)
        self._file, self._looked = (now.st_dev, now.st_ino), (now.st_size, now.st_mtime_ns)
        # Where nothing can be read though there should be more, to ask again at once would never end.
        return News([line for line in lines if line], fresh, max(0, now.st_size - self._offset) if self.cost else 0)

    def _continues(self, fd: int, now: os.stat_result) -> bool:
        """Files are cut and rewritten, inodes used again: the last bytes read must still be there."""
        if self._file != (now.st_dev, now.st_ino):
            return False
        return os.pread(fd, len(self._mark), self._offset - len(self._mark)) == self._mark

    def _forward(self, fd: int, size: int, most: int) -> list[bytes]:
        lines: list[bytes] = []
        end = min(size, self._offset + most)
        while self._offset < end and (data := os.pread(fd, min(BLOCK, end - self._offset), self._offset)):
            lines.extend(self._cutter.feed(data))
            self._offset += len(data)
            self.cost += len(data)
            self._mark = (self._mark + data[-EDGE:])[-EDGE:]
        return lines

    def _first_sight(self, fd: int, size: int) -> list[bytes]:
        """Whole blocks: the client may write a prompt after the first lines that it caused."""
        self._offset, self._mark = size, os.pread(fd, min(EDGE, size), max(0, size - EDGE))
        lines: list[bytes] = []
        half: bytes | None = None
        for pieces in self._backwards(fd, size):
            half = pieces.pop() if half is None else half
            lines = pieces + lines
            if any(map(self._enough, reversed(pieces))):
                break
        self._cutter = _Cutter(self._gist, half)
        return lines

    def _backwards(self, fd: int, size: int) -> Iterator[list[bytes]]:
        """What lies between the newlines, block by block from the end; at the very end there may be half a line."""
        start, floor, step, rest = size, max(0, size - FIRST_SIGHT), FIRST_BLOCK, b""
        while start > floor:
            step = min(step, start - floor)
            start -= step
            self.cost += step
            rest, *whole = (os.pread(fd, step, start) + rest).split(b"\n")
            if whole:
                yield whole
            step *= 2
        if start == 0:
            yield [rest]


class _Cutter:
    """Cuts what comes into lines; of a line longer than LONGEST_LINE it keeps the gist."""

    def __init__(self, gist: Gist, begun: bytes | None = b"") -> None:
        """`begun`: the half line that was there; None if its beginning was too far away to see."""
        self._gist = gist
        self._half = bytearray(begun or b"")
        self._long = _LongLine(b"") if begun is None else None

    def feed(self, data: bytes) -> Iterator[bytes]:
        *whole, rest = data.split(b"\n")
        for piece in whole:
            self._hold(piece)
            yield self._gist(self._long.head, self._long.stamp) if self._long else bytes(self._half)
            self._half, self._long = bytearray(), None
        self._hold(rest)

    def _hold(self, piece: bytes) -> None:
        if self._long is None and len(self._half) + len(piece) > LONGEST_LINE:
            self._long = _LongLine(bytes(self._half))
            self._half.clear()
        if self._long:
            self._long.see(piece)
        else:
            self._half += piece


class _LongLine:
    """Remembers the head of a line and its time, which the client writes in the middle of it."""

    def __init__(self, begun: bytes) -> None:
        self.head, self._edge, self.stamp = begun[:HEAD], b"", b""
        self.see(begun)

    def see(self, data: bytes) -> None:
        if not self.stamp and (found := _STAMP.search(self._edge + data)):
            self.stamp = found[1]
        self._edge = (self._edge + data[-EDGE:])[-EDGE:]
