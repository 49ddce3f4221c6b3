"""Two sessions, the first with all files that a client and its hooks leave."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from torture.clients import register
from torture.room import SESSION, event

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torture.room import Room

OTHER = "00000001-3c33-4845-8b68-60c055e751a8"
SUB = "a5fcb0dc687776b20"


def transcript_of(room: Room, session: str = SESSION) -> str:
    return f"{room.config}/projects/-p/{session}.jsonl"


def furnish(room: Room, pids: list[int]) -> None:
    for path, data in _files(room):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)
    for session, pid in zip((SESSION, OTHER), pids, strict=True):
        register(room, pid, session, "busy")
        said = event("UserPromptSubmit", session, prompt="x", transcript_path=transcript_of(room, session))
        room.keep(said, pid)
    told = event("SubagentStart", agent_id=SUB, agent_type="Explore", transcript_path=transcript_of(room))
    room.keep(told, pids[0])


def _files(room: Room) -> Iterator[tuple[str, bytes]]:
    line = {"type": "user", "timestamp": "2026-01-01T00:00:00.000Z", "message": {"role": "user", "content": "x"}}
    at = transcript_of(room)
    below = at.removesuffix(".jsonl") + "/subagents"
    yield at, json.dumps(line).encode() + b"\n"
    yield f"{below}/agent-{SUB}.jsonl", json.dumps({**line, "isSidechain": True}).encode() + b"\n"
    yield f"{below}/agent-{SUB}.meta.json", b'{"agentType":"Explore","spawnDepth":1}'
    member = {"name": "mia", "agentId": "mia@t", "tmuxPaneId": "%1", "isActive": True}
    team = {"name": "t", "leadSessionId": SESSION, "members": [member]}
    yield f"{room.config}/teams/t/config.json", json.dumps(team).encode()
