"""`<config>/thread-writer-locks`: one file for each thread that a process has loaded. Only their names are read."""

from __future__ import annotations

import os

from contract import store

MOST = 4096
OWN = "."  # so begins the name of a lock of the folder's own


class Locks:
    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._signature: object = None
        self.newest = 0.0  # when the last of them was made (wall clock)

    def look(self) -> bool:
        """Whether one has come or gone since."""
        signature = store.signature_of(self.folder)
        if signature == self._signature:
            return False
        self._signature = signature
        self.newest = max(map(self._made, self._names()), default=0.0)
        return True

    def _names(self) -> list[str]:
        try:
            return [name for name in os.listdir(self.folder) if not name.startswith(OWN)][:MOST]
        except OSError:
            return []

    def _made(self, name: str) -> float:
        try:
            return os.lstat(f"{self.folder}/{name}").st_mtime
        except OSError:
            return 0.0
