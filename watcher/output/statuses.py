"""The status files: one for each session, replaced only when there is news."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from contract import paths, status, store

if TYPE_CHECKING:
    from contract.status import SessionStatus

RETELL_S = 2.0  # evidence that changes without changing the verdict is written this often at most


class Publisher:
    def __init__(self, home: str) -> None:
        self._home = home
        self._told: dict[str, tuple[SessionStatus, float]] = {}
        self._files: dict[str, str] = {}  # sessions by the names of their files

    def __len__(self) -> int:
        return len(self._told)

    def inherited(self) -> dict[str, SessionStatus]:
        """What an earlier watcher told last."""
        folder = paths.status_dir(self._home)
        found = [_load(f"{folder}/{name}") for name in store.names(folder)]
        return {one.session_id: one for one in found if one}

    def tell(self, found: SessionStatus, now: float) -> None:
        old, told_at = self._told.get(found.session_id, (None, 0.0))
        if old == found:
            self._told[found.session_id] = found, told_at
            return
        if old and now - told_at < RETELL_S and _verdicts(old) == _verdicts(found):
            return
        path = paths.status(self._home, found.session_id)
        try:
            store.replace(path, status.encode(found))
        except FileNotFoundError:
            store.private_folder(paths.status_dir(self._home))
            store.replace(path, status.encode(found))
        self._told[found.session_id] = found, now
        self._files[os.path.basename(path)] = found.session_id

    def has_told(self, found: SessionStatus) -> bool:
        """Whether this is what stands there."""
        return found.session_id in self._told and self._told[found.session_id][0] is found

    def withdraw(self, session: str) -> None:
        if self._told.pop(session, None) is not None:
            path = paths.status(self._home, session)
            self._files.pop(os.path.basename(path), None)
            store.remove(path)

    def tidy(self) -> None:
        """Remove what an earlier watcher left and nobody vouches for; tell again what somebody removed."""
        folder = paths.status_dir(self._home)
        there = set(store.names(folder))
        for name in there - self._files.keys():
            store.remove(f"{folder}/{name}")
        for name in self._files.keys() - there:
            del self._told[self._files.pop(name)]


def _load(path: str) -> SessionStatus | None:
    try:
        data = store.read(path)
    except OSError:
        return None
    return status.decode(data) if data else None


def _verdicts(found: SessionStatus) -> SessionStatus:
    return found._replace(agents=tuple(agent._replace(weighed=()) for agent in found.agents))
