"""File events: a hint to look at once. The poll is the truth, so whatever is lost here costs one poll."""

from __future__ import annotations

import contextlib
import logging
import os
import select
import threading
from itertools import islice
from typing import TYPE_CHECKING

from watchdog.events import (
    DirCreatedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from watchdog.observers.api import BaseObserver, ObservedWatch

log = logging.getLogger("yourturn")

# Reading is no news; without this filter our own looks would wake us.
NEWS: list[type[FileSystemEvent]] = [
    DirCreatedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
]


REFUSALS = (OSError, RuntimeError)  # each folder takes a thread, and those may be used up too
FILES = (".json", ".jsonl")
LOCK, OWN_LOCK = ".lock", ".json.lock"  # of a client's sessions; and of our facts, whose change is told anyway
NO_EVENTS = "no file events, polling only: %s"
HIGHEST = 4  # as far above a missing folder as is worth watching
AT_ONCE = 128  # as many folders as are looked at again at a poll


class Wakeup(FileSystemEventHandler):
    def __init__(self) -> None:
        self.polling = ""  # why there are no file events, or not all
        self._observer = self._observing()
        self._watches: dict[str, tuple[ObservedWatch, int]] = {}
        self._refused: set[str] = set()
        # A pipe, because a signal handler too may wake us: it could not wait for a lock that its own thread holds.
        self._heard, self._nudge = os.pipe()
        os.set_blocking(self._heard, False)
        os.set_blocking(self._nudge, False)
        self._lock = threading.Lock()
        self._changed: set[str] = set()
        self._polled = float("-inf")
        self._folders: set[str] = set()
        self._there: dict[str, tuple[str, int]] = {}  # what is watched for each folder, and its inode

    def start(self) -> None:
        try:
            if self._observer:
                self._observer.start()
        except REFUSALS as error:
            self._observer = None
            self._poll_because(error)

    def stop(self) -> None:
        if self._observer and self._observer.is_alive():
            self._observer.stop()
            self._observer.join(timeout=2)

    def watch(self, folders: set[str]) -> None:
        """Watch these folders and no others; for one that is not there yet, the nearest above it.

        What came before a folder was watched is seen by looking at everything once more. Where the same ones are
        asked for again, the next AT_ONCE are looked at: one may be there by now, or another one in its place.
        """
        is_other = folders is not self._folders
        if is_other:
            self._folders = folders
            self._there = {folder: found for folder, found in self._there.items() if folder in folders}
            turn = [folder for folder in folders if folder not in self._there]
        else:
            turn = list(islice(self._there, AT_ONCE))
        before = [self._there.pop(folder, None) for folder in turn]
        after = [_nearest(folder) for folder in turn]
        self._there |= zip(turn, after, strict=True)
        if before != after or is_other:
            self._schedule_all()

    def made(self, paths: Iterable[str]) -> None:
        """These folders are new, or were moved: whatever is to be watched below them may be there now."""
        above = tuple(f"{path}/" for path in paths)
        for folder in [folder for folder in self._there if f"{folder}/".startswith(above)]:
            self._there[folder] = _nearest(folder)
        self._schedule_all()

    def _schedule_all(self) -> None:
        wanted = {found: inode for found, inode in self._there.values() if inode}
        for folder, (watch, inode) in list(self._watches.items()):
            if wanted.get(folder) != inode:
                del self._watches[folder]
                if self._observer:
                    with contextlib.suppress(KeyError, OSError):  # its folder went first
                        self._observer.unschedule(watch)
        new = [folder for folder in wanted if folder not in self._watches and folder not in self._refused]
        for folder in new:
            self._schedule(folder, wanted[folder])
        if new:
            self.poll()

    def take(self, now: float, poll_s: float) -> tuple[set[str], bool]:
        """What changed since the last time, and whether it is time to look at everything."""
        with contextlib.suppress(BlockingIOError):
            while os.read(self._heard, 1 << 10):
                pass
        with self._lock:
            changed, self._changed = self._changed, set()
            due = now - self._polled >= poll_s or now < self._polled
            if due:
                self._polled = now
        return changed, due

    def wait(self, timeout: float) -> bool:
        return bool(select.select([self._heard], [], [], timeout)[0])

    def now(self) -> None:
        with contextlib.suppress(OSError):  # full of reasons to wake already, or over
            os.write(self._nudge, b".")

    def poll(self) -> None:
        """Look at everything now: something has happened that no file tells of."""
        with self._lock:
            self._polled = float("-inf")
        self.now()

    def on_any_event(self, event: FileSystemEvent) -> None:
        path = os.fsdecode(event.dest_path or event.src_path)
        if event.is_directory or path.endswith(FILES) or (path.endswith(LOCK) and not path.endswith(OWN_LOCK)):
            with self._lock:
                self._changed.add(path)
            self.now()

    def _schedule(self, folder: str, inode: int) -> None:
        if self._observer is None:
            return
        try:
            self._watches[folder] = (self._observer.schedule(self, folder, event_filter=NEWS), inode)
        except REFUSALS as error:
            self._refused.add(folder)
            self.polling = f"no file events for {len(self._refused)} folders: {error}"
            log.warning("no file events for %s, polling it: %s", folder, error)

    def _observing(self) -> BaseObserver | None:
        """None where the system has no instance of inotify left to give: 128 a user is Linux's default."""
        try:
            return Observer()
        except REFUSALS as error:
            self._poll_because(error)
            return None

    def _poll_because(self, error: Exception) -> None:
        self.polling = str(error)
        log.warning(NO_EVENTS, error)


def _inode(folder: str) -> int:
    try:
        return os.stat(folder).st_ino
    except OSError:
        return 0


def _nearest(folder: str) -> tuple[str, int]:
    """The folder, or the first above it that is there, with its inode."""
    for _ in range(HIGHEST):
        if inode := _inode(folder):
            return folder, inode
        folder = folder.rpartition("/")[0] or "/"
    return folder, _inode(folder)
