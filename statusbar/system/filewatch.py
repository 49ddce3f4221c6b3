"""Waits until a file in one of some folders is replaced or removed, at no cost while nothing happens."""

from __future__ import annotations

import contextlib
import os
import select
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType


class Changes:
    """Only a hint: events get lost, and then `wait` returns when its time is up. So read the files anyway."""

    def __init__(self, *folders: str, suffix: str = ".json") -> None:
        self.folders = folders
        self.suffix = suffix
        self._wakeup, self.wakeup_fd = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC) if hasattr(os, "pipe2") else _pipe()
        self._observer: Any = None
        self._watched: dict[str, tuple[int, int]] = {}

    def __enter__(self) -> Self:
        self._watch()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._unwatch()
        os.close(self._wakeup)
        os.close(self.wakeup_fd)

    def wait(self, seconds: float, also: Iterable[int] = ()) -> list[int]:
        """Return after a change, or after so many seconds, with the descriptors in `also` that can be read."""
        self._watch()
        ready, _, _ = select.select([self._wakeup, *also], (), (), max(seconds, 0.0))
        if self._wakeup in ready:
            ready.remove(self._wakeup)
            with contextlib.suppress(BlockingIOError):
                os.read(self._wakeup, 1 << 16)
        return ready

    def dispatch(self, event: Any) -> None:
        """Called by watchdog, in its own thread."""
        # A replaced file is first written under another name: only its renaming is a change.
        if str(event.dest_path or event.src_path).endswith(self.suffix) or event.is_directory:
            with contextlib.suppress(BlockingIOError):
                os.write(self.wakeup_fd, b".")

    def _watch(self) -> None:
        """A folder may not exist yet, or may have been removed and created again."""
        there = {folder: identity for folder in self.folders if (identity := folder_identity(folder))}
        if there != self._watched:
            self._unwatch()
            self._watched = there
            if there:
                self._observer = _observer(self, there)

    def _unwatch(self) -> None:
        if self._observer is not None:
            self._observer.stop()
            self._observer.join()
            self._observer = None


def _observer(handler: Any, folders: Iterable[str]) -> Any:
    """None if the system has no watch left: then `wait` returns only when its time is up."""
    from watchdog import events  # noqa: PLC0415 - slow to import, and only needed here
    from watchdog.observers import Observer  # noqa: PLC0415

    # Not the opening of files: each read would wake this process again.
    kinds = [events.FileCreatedEvent, events.FileModifiedEvent, events.FileMovedEvent, events.FileDeletedEvent]
    try:
        observer = Observer()
        for folder in folders:
            observer.schedule(handler, folder, event_filter=kinds)
        observer.start()
    except OSError:
        return None
    return observer


def folder_identity(folder: str) -> tuple[int, int] | None:
    """Another one where the folder was removed and created again; None where it is not there."""
    try:
        stat = os.stat(folder)
    except OSError:
        return None
    return stat.st_dev, stat.st_ino


def _pipe() -> tuple[int, int]:
    ends = os.pipe()
    for end in ends:
        os.set_blocking(end, False)
    return ends
