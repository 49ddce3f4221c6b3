"""Processes that stand for clients: they live until we end them, and end with us whatever happens."""

from __future__ import annotations

import json
import os
import subprocess
import time
from typing import TYPE_CHECKING, Any, Self

from watcher.identity import start_of

if TYPE_CHECKING:
    from torture.room import Room


class Clients:
    def __init__(self, number: int) -> None:
        self._number = number
        self._processes: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        # They wait for the end of a pipe that only we hold.
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


def register(room: Room, pid: int, session: str, word: str, **more: Any) -> str:
    """What a client says of itself; the path of the file."""
    now = int(time.time() * 1000)
    entry = {
        "pid": pid, "sessionId": session, "cwd": "/home/me/proj", "startedAt": now, "procStart": start_of(pid),
        "kind": "interactive", "entrypoint": "cli", "status": word, "statusUpdatedAt": now, **more,
    }  # fmt: skip
    os.makedirs(f"{room.config}/sessions", exist_ok=True)
    path = f"{room.config}/sessions/{pid}.json"
    with open(path, "w", encoding="utf-8") as file:
        json.dump(entry, file)
    return path
