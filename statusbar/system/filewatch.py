"""Waits until a file of a folder was replaced or removed, at no cost while nothing happens."""

from __future__ import annotations

import contextlib
import os
import select
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType


class Changes:
    """A hint, not the truth: events get lost, and then `wait` returns when the time is up. So look anyway."""

    def __init__(self, folder: str, suffix: str = ".json") -> None:
        self.folder = folder
        self.suffix = suffix
        self._heard, self.nudge = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC) if hasattr(os, "pipe2") else _pipe()
        self._observer: Any = None
        self._watched: tuple[int, int] | None = None

    def __enter__(self) -> Self:
        self._watch()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._unwatch()
        os.close(self._heard)
        os.close(self.nudge)

    def wait(self, seconds: float, also: Iterable[int] = ()) -> list[int]:
        """Those of the other descriptors that can be read, after a change or this time at the latest."""
        self._watch()
        ready, _, _ = select.select([self._heard, *also], (), (), max(seconds, 0.0))
        if self._heard in ready:
            ready.remove(self._heard)
            with contextlib.suppress(BlockingIOError):
                os.read(self._heard, 1 << 16)
        return ready

    def dispatch(self, event: Any) -> None:
        """Called by watchdog, in its own thread."""
        # A replaced file is written beside its place first: only the move into it is news.
        if str(event.dest_path or event.src_path).endswith(self.suffix) or event.is_directory:
            with contextlib.suppress(BlockingIOError):
                os.write(self.nudge, b".")

    def _watch(self) -> None:
        """The folder may not be there yet, or have been removed and made anew."""
        found = _identity(self.folder)
        if found != self._watched:
            self._unwatch()
            self._watched = found
            if found:
                self._observer = _observer(self, self.folder)

    def _unwatch(self) -> None:
        if self._observer is not None:
            self._observer.stop()
            self._observer.join()
            self._observer = None


def _observer(handler: Any, folder: str) -> Any:
    """None where the system has no watch left to give: then time alone must do."""
    from watchdog import events  # noqa: PLC0415 - expensive, and only those who wait need it
    from watchdog.observers import Observer  # noqa: PLC0415

    # Not the opening of files: we would hear ourselves read.
    kinds = [events.FileCreatedEvent, events.FileModifiedEvent, events.FileMovedEvent, events.FileDeletedEvent]
    try:
        observer = Observer()
        observer.schedule(handler, folder, event_filter=kinds)
        observer.start()
    except OSError:
        return None
    return observer


def _identity(folder: str) -> tuple[int, int] | None:
    try:
        there = os.stat(folder)
    except OSError:
        return None
    return there.st_dev, there.st_ino


def _pipe() -> tuple[int, int]:
    ends = os.pipe()
    for end in ends:
        os.set_blocking(end, False)
    return ends
