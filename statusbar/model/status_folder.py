"""The status files of one folder: those of this machine, or those of another one."""

from __future__ import annotations

import os

from contract import paths, status, store
from contract.named_tuple import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from contract.status import SessionStatus

Mark = tuple[int, int, int]


class _Cached(NamedTuple):
    mark: Mark
    session: SessionStatus | None


class Found(NamedTuple):
    sessions: tuple[SessionStatus, ...] = ()
    trouble: tuple[str, ...] = ()  # the files that could not be read
    unusable: str = ""  # why the folder cannot be read


class StatusFolder:
    """Reads only the files that were replaced since the last time."""

    def __init__(self, folder: str, *, evidence: bool = True) -> None:
        self.folder = folder
        self._evidence = evidence
        self._cached: dict[str, _Cached] = {}

    def read(self) -> Found:
        names, unusable = self._names()
        self._cached = {name: cached for name in names if (cached := self._look(name))}
        sessions = (cached.session for cached in self._cached.values())
        return Found(
            tuple(session for session in sessions if session is not None),
            tuple(name for name, cached in self._cached.items() if cached.session is None),
            unusable,
        )

    def _names(self) -> tuple[list[str], str]:
        """The file names, and why they cannot be read; a folder that does not exist yet is simply empty."""
        try:
            os.stat(self.folder)
            return store.names(self.folder), ""
        except FileNotFoundError:
            return [], ""
        except OSError as error:
            return [], error.strerror or "cannot be read"

    def _look(self, name: str) -> _Cached | None:
        """None for a file that has been removed meanwhile."""
        path = f"{self.folder}/{name}"
        try:
            mark = store.signature(os.lstat(path))
        except OSError:
            return None
        before = self._cached.get(name)
        if before and before.mark == mark:
            return before
        data = _read(path)
        if data is None:
            return None
        session = status.decode(data, evidence=self._evidence)
        # One with the wrong name does not count: otherwise one session could have two rows.
        is_its_own = session is not None and paths.file_name(session.session_id) + ".json" == name
        return _Cached(mark, session if is_its_own else None)


def _read(path: str) -> bytes | None:
    """None if there is no such file, b"" if it cannot be read."""
    try:
        return store.read(path)
    except OSError:
        return b""
