"""One watcher for each state folder, and the newest version of it."""

from __future__ import annotations

import os
import signal
import time
from enum import Enum
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from contract import paths, status, store
from contract.version import VERSION
from watcher.identity import Identity, compare

if TYPE_CHECKING:
    from contract.status import Heartbeat

PATIENCE_S = 5.0
PROBED_S = 0.3  # hooks ask for the lock for a moment to see whether it is held


class Start(Enum):
    FIRST = "no other watcher runs"
    REPLACED = "another watcher was replaced"
    ALREADY_RUNNING = "a watcher runs already"


class Instance:
    """Holds the lock as long as it lives; after kill -9 the kernel lets go of it."""

    def __init__(self, home: str) -> None:
        store.private_folder(home)
        self._home = home
        self._lock = FileLock(paths.watcher_lock(home), mode=0o600)

    def take(self, *, replace: bool = False) -> Start:
        found = self._take(replace=replace)
        if found is not Start.ALREADY_RUNNING:
            # Else what its predecessor said a moment ago would pass for its own word before it has looked at anything.
            store.remove(paths.heartbeat(self._home))
        return found

    def release(self) -> None:
        self._lock.release(force=True)

    def _take(self, *, replace: bool) -> Start:
        if self._try(PROBED_S):
            return Start.FIRST
        running = heartbeat(self._home)
        if running is None or not (replace or is_newer(VERSION, running.version)) or not end(running):
            return Start.ALREADY_RUNNING
        return Start.REPLACED if self._try(PATIENCE_S) else Start.ALREADY_RUNNING

    def _try(self, timeout: float) -> bool:
        try:
            self._lock.acquire(timeout=timeout, poll_interval=0.02)
        except Timeout:
            return False
        return True


def heartbeat(home: str) -> Heartbeat | None:
    try:
        data = store.read(paths.heartbeat(home))
    except OSError:
        return None
    return status.decode_heartbeat(data) if data else None


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
