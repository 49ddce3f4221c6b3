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

    def __len__(self) -> int:
        return len(self._told)

    def inherited(self) -> dict[str, SessionStatus]:
        """What an earlier watcher told last."""
        folder = paths.status_dir(self._home)
        found = [_load(f"{folder}/{name}") for name in store.names(folder)]
        return {one.session_id: one for one in found if one}

    def tell(self, found: SessionStatus, now: float) -> None:
        old, told_at = self._told.get(found.session_id, (None, 0.0))
        if old == found or (old and now - told_at < RETELL_S and _verdicts(old) == _verdicts(found)):
            return
        path = paths.status(self._home, found.session_id)
        try:
            store.replace(path, status.encode(found))
        except FileNotFoundError:
            store.private_folder(paths.status_dir(self._home))
            store.replace(path, status.encode(found))
        self._told[found.session_id] = found, now

    def withdraw(self, session: str) -> None:
        if self._told.pop(session, None) is not None:
            store.remove(paths.status(self._home, session))

    def tidy(self) -> None:
        """Remove what an earlier watcher left and nobody vouches for; tell again what somebody removed."""
        folder = paths.status_dir(self._home)
        ours = {os.path.basename(paths.status(self._home, session)): session for session in self._told}
        there = set(store.names(folder))
        for name in there - set(ours):
            store.remove(f"{folder}/{name}")
        for name in set(ours) - there:
            del self._told[ours[name]]


def _load(path: str) -> SessionStatus | None:
    try:
        data = store.read(path)
    except OSError:
        return None
    return status.decode(data) if data else None


def _verdicts(found: SessionStatus) -> SessionStatus:
    return found._replace(agents=tuple(agent._replace(weighed=()) for agent in found.agents))
