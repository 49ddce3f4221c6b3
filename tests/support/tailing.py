"""A file that is followed, and the system as the tail sees it."""

from __future__ import annotations

import os
import tracemalloc
from typing import TYPE_CHECKING, Any

from watcher.files.tail import News, Tail

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MIB = 1024 * 1024
NOTHING = News([])


def never(line: bytes) -> bool:
    return False


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


def all_news(tail: Tail) -> list[bytes]:
    lines: list[bytes] = []
    while True:
        news = tail.read_new()
        lines += news.lines
        if not news.more:
            return lines


class System:
    """The system as the tail sees it, with a count of what it costs and, where a test wants it, other answers."""

    def __init__(self) -> None:
        self.bytes = self.reads = self.opened = 0
        self.denied = False
        self.shown: Path | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)

    def stat(self, path: str) -> os.stat_result:
        return os.stat(self.shown or path)

    def open(self, path: str, flags: int) -> int:
        self.opened += 1
        if self.denied:
            raise PermissionError
        return os.open(path, flags)

    def pread(self, fd: int, size: int, offset: int) -> bytes:
        data = os.pread(fd, size, offset)
        self.bytes += len(data)
        self.reads += 1
        return data


def peak(action: Callable[[], object]) -> int:
    """The most memory this takes at one time."""
    tracemalloc.start()
    try:
        action()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
