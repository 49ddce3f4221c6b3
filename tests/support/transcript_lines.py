"""Lines as the client writes them into a transcript, for tests."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from support.project import TESTS

TRANSCRIPTS = TESTS / "replay" / "transcripts"
NOON = datetime(2026, 11, 16, 12, tzinfo=UTC).timestamp()


def line(kind: str, at: float = 0.0, **more: Any) -> bytes:
    """One line, `at` seconds after noon."""
    stamp = datetime.fromtimestamp(NOON + at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    record = {"parentUuid": None, "isSidechain": False, "type": kind, **more, "timestamp": stamp}
    return json.dumps(record, separators=(",", ":")).encode()


def user(content: Any, at: float = 0.0, **more: Any) -> bytes:
    return line("user", at, message={"role": "user", "content": content}, **more)


def prompt(text: Any = "please do it", at: float = 0.0, **more: Any) -> bytes:
    human = {"origin": {"kind": "human"}, "promptSource": "typed", "turnOrigin": "human", "promptId": "p1"}
    return user(text, at, **{**human, **more})


def text_block(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}


def interrupt(at: float = 0.0, text: str = "[Request interrupted by user]", **more: Any) -> bytes:
    return user([text_block(text)], at, **more)


def result(call_id: str, at: float = 0.0, **more: Any) -> bytes:
    return user([{"type": "tool_result", "tool_use_id": call_id, "content": "ok"}], at, **more)


def assistant(*blocks: dict[str, Any], at: float = 0.0, stop_reason: Any = None, **more: Any) -> bytes:
    message = {"id": "m1", "role": "assistant", "model": "claude", "content": list(blocks), "stop_reason": stop_reason}
    return line("assistant", at, message=message, **more)


def calls(call_id: str, tool: str = "Bash", at: float = 0.0, **more: Any) -> bytes:
    block = {"type": "tool_use", "id": call_id, "name": tool, "input": {"command": "true"}}
    return assistant(block, at=at, stop_reason="tool_use", **more)


def last_word(text: str = "All done", at: float = 0.0) -> bytes:
    return assistant(text_block(text), at=at, stop_reason="end_turn")


def system(subtype: str, at: float = 0.0, **more: Any) -> bytes:
    return line("system", at, subtype=subtype, **more)


def recorded(name: str) -> list[bytes]:
    """The lines of a real transcript; a check that looked at nothing fails."""
    lines = (TRANSCRIPTS / f"{name}.jsonl").read_bytes().splitlines()
    assert lines
    return lines
