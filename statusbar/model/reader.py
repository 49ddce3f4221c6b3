"""Reads the status files. Never writes them, and never crashes because of what they contain."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from contract import paths, pulse, status, store
from statusbar.model.snapshot import Statuses

if TYPE_CHECKING:
    from contract.status import SessionStatus

Mark = tuple[int, int, int]


class _Cached(NamedTuple):
    mark: Mark
    session: SessionStatus | None


class Reader:
    """Reads only the files that were replaced since the last time."""

    def __init__(self, home: str, *, evidence: bool = True) -> None:
        self.home = home
        self._evidence = evidence
        self._cached: dict[str, _Cached] = {}
        self._last = Statuses()

    def read(self) -> Statuses:
        """The very same object as before if nothing changed."""
        names, unusable = self._names()
        self._cached = {name: cached for name in names if (cached := self._look(name))}
        watcher = pulse.take(self.home, os.environ)
        sessions = (cached.session for cached in self._cached.values())
        statuses = Statuses(
            tuple(session for session in sessions if session is not None),
            watcher.heartbeat,
            watcher.locked,
            tuple(name for name, cached in self._cached.items() if cached.session is None),
            unusable,
            watcher.starting,
            watcher.unheard,
        )
        self._last = self._last if statuses == self._last else statuses
        return self._last

    def _names(self) -> tuple[list[str], str]:
        """The file names, and why they cannot be read; a folder that does not exist yet is simply empty."""
        try:
            os.stat(paths.status_dir(self.home))
            return store.names(paths.status_dir(self.home)), ""
        except FileNotFoundError:
            return [], ""
        except OSError as error:
            return [], f"{self.home}: {error.strerror}"

    def _look(self, name: str) -> _Cached | None:
        """None for a file that has been removed meanwhile."""
        path = f"{paths.status_dir(self.home)}/{name}"
        try:
            mark = store.signature(os.lstat(path))
        except OSError:
            return None
        before = self._cached.get(name)
        if before and before.mark == mark:
            return before
        data = _read(path)
        return None if data is None else _Cached(mark, _session(data, name, evidence=self._evidence))


def read(home: str, *, evidence: bool = True) -> Statuses:
    return Reader(home, evidence=evidence).read()


def _session(data: bytes, name: str, *, evidence: bool) -> SessionStatus | None:
    """None for a file with the wrong name: otherwise one session could have two rows."""
    session = status.decode(data, evidence=evidence)
    return session if session and paths.file_name(session.session_id) + ".json" == name else None


def _read(path: str) -> bytes | None:
    """None if there is no such file, b"" if it cannot be read."""
    try:
        return store.read(path)
    except OSError:
        return b""
