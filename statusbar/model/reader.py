"""What the watcher left on the table: read, never written, and never a reason to fall over."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from contract import paths, pulse, status, store
from statusbar.model.snapshot import Statuses

if TYPE_CHECKING:
    from contract.status import SessionStatus

Mark = tuple[int, int, int]


class _Kept(NamedTuple):
    mark: Mark
    session: SessionStatus | None


class Reader:
    """Reads again only what was replaced since the last time."""

    def __init__(self, home: str) -> None:
        self.home = home
        self._kept: dict[str, _Kept] = {}
        self._last = Statuses()

    def read(self) -> Statuses:
        """The very same object as before if nothing changed."""
        names, unusable = self._names()
        self._kept = {name: kept for name in names if (kept := self._look(name))}
        watcher = pulse.take(self.home, os.environ)
        sessions = (kept.session for kept in self._kept.values())
        found = Statuses(
            tuple(one for one in sessions if one is not None),
            watcher.heartbeat,
            watcher.locked,
            tuple(name for name, kept in self._kept.items() if kept.session is None),
            unusable,
            watcher.starting,
            watcher.unheard,
        )
        self._last = self._last if found == self._last else found
        return self._last

    def _names(self) -> tuple[list[str], str]:
        """And why there are none, if that is not because nobody has written any yet."""
        try:
            os.stat(paths.status_dir(self.home))
            return store.names(paths.status_dir(self.home)), ""
        except FileNotFoundError:
            return [], ""
        except OSError as error:
            return [], f"{self.home}: {error.strerror}"

    def _look(self, name: str) -> _Kept | None:
        """None for a file that is gone by now."""
        path = f"{paths.status_dir(self.home)}/{name}"
        try:
            there = os.lstat(path)
        except OSError:
            return None
        mark = store.signature(there)
        before = self._kept.get(name)
        if before and before.mark == mark:
            return before
        data = _read(path)
        return None if data is None else _Kept(mark, _session(data, name))


def read(home: str) -> Statuses:
    return Reader(home).read()


def _session(data: bytes, name: str) -> SessionStatus | None:
    """What is said under another name than its own is not believed: two rows of one session would be one too many."""
    session = status.decode(data)
    return session if session and paths.file_name(session.session_id) + ".json" == name else None


def _read(path: str) -> bytes | None:
    """None if there is no such file, nothing if it cannot be read."""
    try:
        return store.read(path)
    except OSError:
        return b""
