"""The watcher's own loop in this process: it looks when it is told to, so promptness is counted in looks."""

from __future__ import annotations

import logging
import os
import traceback
from typing import TYPE_CHECKING

from contract import paths, status
from torture.room import SESSION, contents
from watcher.loop import Watch

if TYPE_CHECKING:
    from torture.room import Room
    from watcher.clock import Clock


class Wall(logging.Handler):
    """What the watcher caught of one session's trouble: told at the end, and no other light depends on it."""

    def __init__(self) -> None:
        super().__init__()
        self.caught: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            where = traceback.extract_tb(error.__traceback__)[-1]
            self.caught.append(f"{type(error).__name__} in {os.path.basename(where.filename)}: {where.line}")


def behind_a_wall() -> Wall:
    """The watcher's own log goes there from now on, and not to the terminal."""
    log, wall = logging.getLogger("yourturn"), Wall()
    log.handlers, log.propagate = [wall], False
    return wall


class Look:
    def __init__(self, room: Room, clock: Clock | None = None) -> None:
        self._room = room
        self.watch = Watch(room.state, room.env(), clock=clock)
        self.watch.look_at_all()

    def at(self, *changed: str) -> None:
        self.watch.look_at(changed)

    def shows(self, session: str = SESSION) -> str:
        return shown(self._room, session)


def shown(room: Room, session: str = SESSION) -> str:
    """'' for a session that is not shown."""
    found = status.decode(contents(paths.status(room.state, session)))
    return found.status if found else ""


def bytes_read() -> int:
    """By this process until now, from files of any kind: what a look costs, whatever the machine."""
    fields = dict(line.split(b": ") for line in contents(f"/proc/{os.getpid()}/io").splitlines())
    return int(fields[b"rchar"])
