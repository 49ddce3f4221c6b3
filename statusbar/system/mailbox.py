"""What is done in threads of its own has something to say: a loop that waits on descriptors hears of it here."""

from __future__ import annotations

import contextlib
import socket
from queue import SimpleQueue


class Answers:
    def __init__(self) -> None:
        self._heard, self._nudge = socket.socketpair()
        self._told: SimpleQueue[str] = SimpleQueue()

    def fileno(self) -> int:
        """Readable when there is something new."""
        return self._heard.fileno()

    def say(self, words: str) -> None:
        """From any thread."""
        self._told.put(words)
        self.wake()

    def wake(self) -> None:
        with contextlib.suppress(OSError):  # a deed that outlived the loop has nobody to wake
            self._nudge.send(b".")

    def heard(self) -> None:
        """The loop is awake."""
        self._heard.recv(1 << 10)

    def newest(self) -> str | None:
        """What was said last; None if nothing was since it was asked last."""
        found = None
        while not self._told.empty():
            found = self._told.get()
        return found

    def close(self) -> None:
        self._heard.close()
        self._nudge.close()
