"""The status files: one for each session, replaced only when there is news."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from contract import paths, status, store
from contract.content import content
from watcher.files.folder import Folder

if TYPE_CHECKING:
    from contract.status import SessionStatus

RETELL_S = 2.0  # evidence that changes without changing the verdict is written this often at most


class Publisher:
    def __init__(self, home: str) -> None:
        self._home = home
        self._written: dict[str, tuple[SessionStatus, float]] = {}
        self._files: dict[str, str] = {}  # sessions by the names of their files
        self._listed = Folder(paths.status_dir(home))
        self.lost = 0  # how many of them somebody has removed

    def __len__(self) -> int:
        return len(self._written)

    def inherited(self) -> dict[str, SessionStatus]:
        """What an earlier watcher told last."""
        folder = paths.status_dir(self._home)
        sessions = [status.decode(content(f"{folder}/{name}")) for name in store.names(folder)]
        return {session.session_id: session for session in sessions if session}

    def tell(self, session: SessionStatus, now: float) -> None:
        old, told_at = self._written.get(session.session_id, (None, 0.0))
        if old == session:
            self._written[session.session_id] = session, told_at
            return
        if old and now - told_at < RETELL_S and _verdicts(old) == _verdicts(session):
            return
        path = paths.status(self._home, session.session_id)
        try:
            store.replace(path, status.encode(session))
        except FileNotFoundError:
            store.private_folder(paths.status_dir(self._home))
            store.replace(path, status.encode(session))
        self._written[session.session_id] = session, now
        self._files[os.path.basename(path)] = session.session_id

    def has_told(self, session: SessionStatus) -> bool:
        """Whether this is what stands there."""
        return session.session_id in self._written and self._written[session.session_id][0] is session

    def withdraw(self, session: str) -> None:
        if self._written.pop(session, None) is not None:
            path = paths.status(self._home, session)
            self._files.pop(os.path.basename(path), None)
            store.remove(path)

    def tidy(self) -> None:
        """Remove what an earlier watcher left and nobody vouches for; tell again what somebody removed."""
        if not self._listed.may_have_changed():
            return
        folder = self._listed.path
        there = set(store.names(folder))
        for name in there - self._files.keys():
            store.remove(f"{folder}/{name}")
        for name in self._files.keys() - there:
            del self._written[self._files.pop(name)]
            self.lost += 1


def _verdicts(session: SessionStatus) -> SessionStatus:
    return session._replace(agents=tuple(agent._replace(weighed=()) for agent in session.agents))
