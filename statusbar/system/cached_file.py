"""What was read from a file, kept until the file is another one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    Mark = tuple[int, int, int, int]

T = TypeVar("T")


class Kept(Generic[T]):
    """To ask costs one `stat`; through a link it is the file behind it that counts."""

    def __init__(self, path: str, read: Callable[[], T]) -> None:
        self._path = path
        self._read = read
        self._mark: Mark | None = None
        self._known: tuple[T] | None = None

    def now(self) -> T:
        mark = _mark(self._path)
        if self._known is None or mark != self._mark:
            # In this order: a change while it is read is one more reason to read.
            self._mark, self._known = mark, (self._read(),)
        return self._known[0]


def _mark(path: str) -> Mark | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino
