"""Processes that do nothing but live: they stand in for clients."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Self


class Sleepers:
    def __init__(self, number: int) -> None:
        self._number = number
        self._processes: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        # They wait for the end of a pipe that only we hold: whatever becomes of us, none of them stays behind.
        theirs, self._ours = os.pipe()
        try:
            for _ in range(self._number):
                self._processes.append(subprocess.Popen(["cat"], stdin=theirs))
        finally:
            os.close(theirs)
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._ours)
        for process in self._processes:
            process.wait()

    @property
    def pids(self) -> list[int]:
        return [process.pid for process in self._processes]
