"""The content of a file, read again only when the file has changed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    Mark = tuple[int, int, int, int]

T = TypeVar("T")


class CachedFile(Generic[T]):
    """Each `now` costs one `stat`. Symbolic links are followed."""

    def __init__(self, path: str, read: Callable[[], T]) -> None:
        self._path = path
        self._read = read
        self._mark: Mark | None = None
        self._value: tuple[T] | None = None

    def now(self) -> T:
        mark = _mark(self._path)
        if self._value is None or mark != self._mark:
            # The mark was taken first, so a change during the reading is noticed the next time.
            self._mark, self._value = mark, (self._read(),)
        return self._value[0]


def _mark(path: str) -> Mark | None:
    try:
        stat = os.stat(path)
    except OSError:
        return None
    return stat.st_mtime_ns, stat.st_ctime_ns, stat.st_size, stat.st_ino
