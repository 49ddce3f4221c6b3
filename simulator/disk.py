"""Puts observations where the real recorder, tail and registry reader find them: real files, virtual times."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager, suppress
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from contract.facts import Stamp
from recorder import surroundings
from recorder.receive import receive
from simulator.observation import NOON, File, Hook, Line, Observation, Process, Threads

if TYPE_CHECKING:
    from collections.abc import Iterator

    from simulator.table import Table


class Disk:
    def __init__(self, root: str, table: Table) -> None:
        self.home, self.config = f"{root}/state", f"{root}/home/.claude"
        self._table = table
        self.shift = 0.0  # of the wall clock
        os.makedirs(f"{self.config}/sessions")

    def put(self, seen: Observation) -> tuple[str, ...]:
        """The files that have changed."""
        if isinstance(seen, Hook):
            return self._hook(seen)
        if isinstance(seen, Line | File):
            return (self._file(seen),)
        if isinstance(seen, Process):
            self._table.take(seen)
        if isinstance(seen, Threads):
            self._table.threads = seen.told
        return ()

    def _hook(self, seen: Hook) -> tuple[str, ...]:
        self._table.speaker = seen.pid
        env, data, before = {**seen.env, "YOURTURN_NO_WATCHER": "1"}, json.dumps(seen.payload).encode(), self._facts()
        receive(self.home, env, data, Stamp(seen.stamp), seen.client)
        return tuple(path for path, inode in self._facts().items() if before.get(path) != inode)

    def _facts(self) -> dict[str, int]:
        """Each is replaced when it changes."""
        folder = f"{self.home}/facts"
        if not os.path.isdir(folder):
            return {}
        with os.scandir(folder) as files:
            return {file.path: file.inode() for file in files if file.name.endswith(".json")}

    def _file(self, seen: Line | File) -> str:
        folder = os.path.dirname(seen.path)
        os.makedirs(folder, exist_ok=True)
        if seen.data is None:
            with suppress(FileNotFoundError):  # a client that ends before it has written one
                os.unlink(seen.path)
        else:
            with open(seen.path, "ab" if isinstance(seen, Line) else "wb") as file:
                file.write(seen.data)
            self._date(seen.path, seen.at)
        self._date(folder, seen.at)
        return seen.path

    def _date(self, path: str, at: float) -> None:
        """The machine's clock knows nothing of the program's time."""
        wall = NOON + at + self.shift
        os.utime(path, (wall, wall))


@contextmanager
def hooks_see(table: Table) -> Iterator[None]:
    """The hook looks its client up in the program's process table, not in that of this machine."""
    asks: Any = surroundings  # all that the hook asks the kernel
    stat, kernel = asks._stat, asks.posix  # noqa: SLF001
    asks._stat = table.stat  # noqa: SLF001
    asks.posix = SimpleNamespace(getppid=lambda: table.parent, readlink=kernel.readlink)
    try:
        yield
    finally:
        asks._stat, asks.posix = stat, kernel  # noqa: SLF001
