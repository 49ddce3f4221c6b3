"""The folders in which a change of a file matters: those of all sessions' transcripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from watcher.clients.base import Transcripts


class TranscriptFolders:
    def __init__(self) -> None:
        self.has_changed = True  # another folder may matter
        self._folders: dict[str, set[str]] = {}  # by session
        self._files: dict[str, set[str]] = {}  # by session: those of its files that do not name it

    def follow(self, session: str, following: Transcripts | None) -> None:
        if following and following.files:
            self._files[session] = following.files
        folders = following.folders if following else set[str]()
        if self._folders.get(session) != folders:
            self._folders[session] = folders
            self.has_changed = True

    def forget(self, session: str) -> None:
        self.has_changed |= self._folders.pop(session, None) is not None
        self._files.pop(session, None)

    def all(self) -> set[str]:
        return set[str]().union(*self._folders.values())

    def sessions_of(self, path: str) -> set[str]:
        """Those that a file is of which names none of them."""
        return {session for session, files in self._files.items() if path in files}
