"""All that leaves a process of another client: its hooks, lines of its files, its commands; and what of it is lost."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from simulator.observation import File, Line
from simulator.outlet import Outlet

if TYPE_CHECKING:
    from collections.abc import Callable

    from simulator.lines import Record
    from simulator.world import World


class Voice(Outlet):
    def __init__(self, world: World, pid: int, client: str, note_loss: Callable[[Record], None]) -> None:
        super().__init__(world, pid)
        self.client, self.env = client, {}
        self._told_of_loss = note_loss
        self._lines: dict[str, list[bytes]] = {}  # by file: all that this process writes to it
        self._shown: dict[str, int] = {}  # and how many of these are there

    def _note_loss(self, payload: Record) -> None:
        self._told_of_loss(payload)

    def begin(self, payload: Record) -> tuple[str, int, float]:
        """The name and the number of a hook that is started now, and when it takes its stamp."""
        return self._begin(payload, "async hook starts")

    def show_hook(self, payload: Record, stamp: float, written: float, number: int) -> None:
        self._show_hook(payload, stamp, written, number, again=0.0)

    def write(self, path: str, record: Record, name: str) -> None:
        """A line at the end of a file; `name`: of how long that takes."""
        at = self._world.flush(path, "late line" if self._world.has_fault("lag") else name)
        data = json.dumps(record, separators=(",", ":")).encode() + b"\n"
        written = self._lines.setdefault(path, [])
        written.append(data)
        self._world.stage.at(at, lambda: self._show_line(Line(at, path, data)))

    def _show_line(self, line: Line) -> None:
        """Not if it was taken back meanwhile."""
        if not self.is_dead and any(data is line.data for data in self._lines[line.path]):
            self._world.show(line)
            self._shown[line.path] = self._shown.get(line.path, 0) + 1

    def lines(self, path: str) -> int:
        """So many it has written, also those on their way."""
        return len(self._lines.get(path, ()))

    def cut(self, path: str, kept: int) -> bool:
        """Take back all lines but the first; whether one of those is there already."""
        written, shown = self._lines.get(path, []), self._shown.get(path, 0)
        del written[kept:]
        if shown > kept:
            self._shown[path] = kept
            self.replace(path, b"".join(self._content(path)[: kept - shown]))
        return shown > kept

    def _content(self, path: str) -> list[bytes]:
        """The lines of a file, also those of an earlier process."""
        found: list[bytes] = []
        for seen in self._world.seen:
            if isinstance(seen, File) and seen.path == path:
                found = (seen.data or b"").splitlines(keepends=True)
            elif isinstance(seen, Line) and seen.path == path:
                found.append(seen.data)
        return found

    def replace(self, path: str, data: bytes | None) -> None:
        """Another content of a file, at once; None: it is gone."""
        if not self.is_dead:
            self._world.show(File(self._world.now, path, data))
