"""The newest board, and those who wait for one that is newer. All but `publish` runs in the loop of the server."""

from __future__ import annotations

import asyncio
import contextlib
from typing import NamedTuple


class Newest(NamedTuple):
    number: int  # counts what was published
    text: str


class LatestBoard:
    """Nobody has a queue: whoever was away, or is slow, gets the newest and nothing of what was before."""

    def __init__(self) -> None:
        self.newest = Newest(0, "")
        self.changed = asyncio.Event()  # set when there is something newer; take it before `newest`
        self._loop: asyncio.AbstractEventLoop | None = None

    def publish(self, text: str) -> None:
        """From any thread."""
        if self._loop is None:
            self._put(text)
            return
        with contextlib.suppress(RuntimeError):  # the loop has ended before us
            self._loop.call_soon_threadsafe(self._put, text)

    def belongs_to(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def _put(self, text: str) -> None:
        self.newest = Newest(self.newest.number + 1, text)
        before, self.changed = self.changed, asyncio.Event()
        before.set()
