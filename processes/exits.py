"""Ends of processes, told by the kernel as they happen. A hint, as file events are: the poll is the truth.

Linux has descriptors for processes; elsewhere an end is seen at the next poll.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import threading
from queue import SimpleQueue
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

MOST = 256  # each takes a descriptor, of which a process may have 1024


class Exits:
    def __init__(self, tell: Callable[[], None]) -> None:
        self._tell = tell
        self._watched: dict[int, int] = {}  # descriptors by pid
        self._told: SimpleQueue[int] = SimpleQueue()  # descriptors whose process has ended, from the thread
        self._ended: set[int] = set()  # those of them that are still in `_watched`
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        if not hasattr(os, "pidfd_open"):
            return
        self._poll, self._over = select.epoll(), os.eventfd(0, os.EFD_CLOEXEC)
        self._poll.register(self._over, select.EPOLLIN)
        self._thread = threading.Thread(target=self._run, name="exits", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        if self._thread is None:
            return
        os.eventfd_write(self._over, 1)
        self._thread.join()
        self.watch(set())
        self._poll.close()
        os.close(self._over)

    def watch(self, pids: set[int]) -> None:
        """These and no others; of one that has ended and was waited for, the next process with its pid."""
        if self._thread is None:
            return
        self._ended |= {self._told.get() for _ in range(self._told.qsize())}
        for pid, descriptor in list(self._watched.items()):
            if pid not in pids or (descriptor in self._ended and not _has_pid(descriptor)):
                self._ended.discard(descriptor)
                os.close(self._watched.pop(pid))  # which also ends its registration
        for pid in pids - set(self._watched):
            if len(self._watched) >= MOST:
                break
            self._open(pid)

    def _open(self, pid: int) -> None:
        with contextlib.suppress(OSError):  # gone already, or the kernel has no such call
            self._watched[pid] = os.pidfd_open(pid)
            # Once: a process stays ended, and would be told of for ever.
            self._poll.register(self._watched[pid], select.EPOLLIN | select.EPOLLONESHOT)

    def _run(self) -> None:
        while True:
            ready = [descriptor for descriptor, _ in self._poll.poll()]
            if self._over in ready:
                return
            for descriptor in ready:
                self._told.put(descriptor)
            self._tell()


def _has_pid(descriptor: int) -> bool:
    """A process keeps its pid until its parent has waited for it, which may be long after its end."""
    with contextlib.suppress(PermissionError):
        try:
            signal.pidfd_send_signal(descriptor, 0)
        except ProcessLookupError:
            return False
    return True
