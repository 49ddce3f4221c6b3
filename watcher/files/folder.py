"""A folder whose names are listed again only when one came, went or was replaced."""

from __future__ import annotations

import time

from contract import store

# Two changes in one tick of the file system's clock leave the same time; some clocks tick in seconds.
UNSETTLED_S = 2.0


class Folder:
    def __init__(self, path: str) -> None:
        self.path = path
        self._seen: tuple[tuple[int, int, int] | None, float] = (None, 0.0)  # as it was, and when

    def may_have_changed(self) -> bool:
        """Since this was asked before; who is told so lists it now."""
        (before, at), found = self._seen, store.signature_of(self.path)
        if found and found == before and found[0] / 1e9 < at - UNSETTLED_S:
            return False
        # By the clock that dates the files, which a clock for the watcher need not be.
        self._seen = found, time.time()
        return True
