"""Puts observations where the real recorder, tail and registry reader find them: real files, virtual times."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from contract.facts import Stamp
from recorder import surroundings
from recorder.receive import receive
from simulator.observation import NOON, File, Hook, Line, Observation, Process

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
        return ()

    def _hook(self, seen: Hook) -> tuple[str, ...]:
        receive(
            self.home, {**seen.env, "YOURTURN_NO_WATCHER": "1"}, json.dumps(seen.payload).encode(), Stamp(seen.stamp)
        )
        agent = seen.payload.get("agent_id") or "main"
        own = f"{self.home}/facts/{seen.payload['session_id']}"
        names = (f"{own}.{agent}.json", f"{own}-p{seen.env['CLAUDE_PID']}.{agent}.json")
        return tuple(name for name in names if os.path.exists(name))

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
    real = surroundings._stat  # noqa: SLF001 - the one place where the hook asks the kernel
    surroundings._stat = table.stat  # noqa: SLF001
    try:
        yield
    finally:
        surroundings._stat = real  # noqa: SLF001
