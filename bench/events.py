"""Events as the client tells them, and the hook's own way to keep them."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

from contract.facts import Stamp
from recorder.receive import receive
from watcher.clock import BOOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Event = dict[str, Any]


def event(session: str, name: str, transcript: str = "", **more: Any) -> Event:
    return {
        "session_id": session,
        "transcript_path": transcript or f"/home/me/.claude/projects/-home-me-proj/{session}.jsonl",
        "cwd": "/home/me/proj",
        "prompt_id": "b2107899-19c5-49f5-aaaf-5c89e699367f",
        "permission_mode": "default",
        "hook_event_name": name,
        **more,
    }


def call(number: int) -> Event:
    """What the events of one tool call have in common."""
    command = {"command": f"npm test -- --grep part-{number}", "description": "Run the tests of one part"}
    return {"tool_name": "Bash", "tool_input": command, "tool_use_id": f"toolu_{number:024x}"}


def turn(session: str, calls: int) -> Iterator[Event]:
    """A turn that is still open after so many calls."""
    yield event(session, "SessionStart", source="startup")
    yield event(session, "UserPromptSubmit", prompt="please do it")
    for number in range(calls):
        yield event(session, "PreToolUse", **call(number))
        yield event(session, "PostToolUse", **call(number), tool_response={"stdout": "ok\n"}, duration_ms=12)
        yield event(session, "PostToolBatch", tool_calls=[{**call(number), "tool_response": "ok"}])


def keep(home: str, env: Mapping[str, str], happened: Event) -> None:
    """What a hook does after its start, in this process."""
    stamp = Stamp((round(time.time(), 6), round(time.clock_gettime(BOOT), 6)))
    receive(home, {**env, "YOURTURN_NO_WATCHER": "1"}, json.dumps(happened).encode(), stamp)
