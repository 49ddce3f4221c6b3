"""Messages from other threads, for a loop that waits on descriptors."""

from __future__ import annotations

import contextlib
import socket
from queue import SimpleQueue
from typing import Generic, TypeVar

T = TypeVar("T")


class Mailbox(Generic[T]):
    def __init__(self) -> None:
        self._reading_end, self._writing_end = socket.socketpair()
        self._messages: SimpleQueue[T] = SimpleQueue()

    def fileno(self) -> int:
        """Readable when there is a new message."""
        return self._reading_end.fileno()

    def put(self, message: T) -> None:
        """From any thread."""
        self._messages.put(message)
        self.wake()

    def wake(self) -> None:
        with contextlib.suppress(OSError):  # the loop has ended before the thread
            self._writing_end.send(b".")

    def woken(self) -> None:
        """To be called by the loop after each wake-up; else `fileno` stays readable."""
        self._reading_end.recv(1 << 10)

    def newest(self) -> T | None:
        """The last message; None if there was none since the last call."""
        return next(reversed(self.all()), None)

    def all(self) -> list[T]:
        """Those since the last call."""
        messages = []
        while not self._messages.empty():
            messages.append(self._messages.get())
        return messages

    def close(self) -> None:
        self._reading_end.close()
        self._writing_end.close()
