"""One watcher for each state folder, and the newest version of it."""

from __future__ import annotations

import os
import signal
import time
from enum import Enum
from typing import TYPE_CHECKING

from contract import paths, pulse, store
from contract.version import VERSION
from processes.identity import Identity, compare

if TYPE_CHECKING:
    from contract.status import Heartbeat

PATIENCE_S = 5.0
PROBED_S = 0.3  # hooks ask for the lock for a moment to see whether it is held
PAUSE_S = 0.02


class Start(Enum):
    FIRST = "no other watcher runs"
    REPLACED = "another watcher was replaced"
    ALREADY_RUNNING = "a watcher runs already"


class Instance:
    """Holds the lock as long as it lives; after kill -9 the kernel lets go of it."""

    def __init__(self, home: str) -> None:
        self._home = home
        self._fd: int | None = None
        self.predecessor: Heartbeat | None = None  # its last words

    def take(self, *, replace: bool = False) -> Start:
        found = self._take(replace=replace)
        if found is not Start.ALREADY_RUNNING:
            # Else what its predecessor said a moment ago would pass for its own word before it has looked at anything.
            self.predecessor = pulse.heartbeat(self._home)
            store.remove(paths.heartbeat(self._home))
        return found

    def release(self) -> None:
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    def is_in_place(self) -> bool:
        """Whether the lock it holds is still the one that others find.

        Whoever removes the state folder takes the lock's name away, not the lock: the next hook makes a new file and
        starts another watcher, and both would write into the same folder.
        """
        try:
            return self._fd is not None and os.path.samestat(
                os.fstat(self._fd), os.stat(paths.watcher_lock(self._home))
            )
        except OSError:
            return False

    def _take(self, *, replace: bool) -> Start:
        if self._try(PROBED_S):
            return Start.FIRST
        running = pulse.heartbeat(self._home)
        if running is None or not (replace or is_newer(VERSION, running.version)) or not end(running):
            return Start.ALREADY_RUNNING
        return Start.REPLACED if self._try(PATIENCE_S) else Start.ALREADY_RUNNING

    def _try(self, timeout: float) -> bool:
        """A lock that was won on a file that has lost its name meanwhile is none."""
        deadline = time.monotonic() + timeout
        while True:
            store.private_folder(self._home)
            self._fd = store.take(paths.watcher_lock(self._home))
            if self.is_in_place():
                return True
            self.release()
            if time.monotonic() > deadline:
                return False
            time.sleep(PAUSE_S)


def end(running: Heartbeat) -> bool:
    """Ask the process that wrote this heartbeat to end; never another one that has its pid by now."""
    if compare(running.pid, running.start) is not Identity.SAME:
        return False
    os.kill(running.pid, signal.SIGTERM)
    deadline = time.monotonic() + PATIENCE_S
    while compare(running.pid, running.start) is Identity.SAME:
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def is_newer(one: str, other: str) -> bool:
    return _numbers(one) > _numbers(other)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isascii() and part.isdigit())
