"""Processes that stand for clients: they live until we end them, and end with us whatever happens."""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING, Any

from processes.identity import start_of

if TYPE_CHECKING:
    from torture.room import Room


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
