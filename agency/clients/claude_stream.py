"""Claude Code as the agent of a host: what it says on its stream, line by line, and what it takes for answers. Pure.

Its requests carry an id, and so do our answers: none of them can reach another request.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from agency.events import Asked, Cancelled, Finished, Mode, Rests, TaskEnded, Tasks, TaskStarted, Unserved
from answers.clients import claude

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from agency.events import Event
    from agency.registration import Spawned
    from answers.request import Request
    from answers.word import Word

OPTIONS = (
    "--input-format", "stream-json", "--output-format", "stream-json", "--verbose", "--permission-prompt-tool", "stdio",
)  # fmt: skip
ENVIRONMENT = {"CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS": "1"}  # it says when it rests: a result alone does not tell
LONGEST_ID, LONGEST_WORD = 200, 80
BEGINNING = re.compile(rb'\s*\{"type":"control_request","request_id":"([\w-]{1,200})"')


def prompt(words: str) -> bytes:
    message = {"role": "user", "content": words}
    return _line({"type": "user", "message": message, "parent_tool_use_id": None, "session_id": ""})


def heard(line: bytes) -> Event | None:
    """None for what changes nothing for a host, and for what is no line of this stream."""
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        return cut_off(line)
    kind = said.get("type") if isinstance(said, dict) else None
    read = READERS.get(kind) if isinstance(kind, str) else None
    return read(said, line) if read else None


def cut_off(beginning: bytes) -> Event | None:
    """Of a line that is too long to be read, or too deeply nested, only the beginning is known."""
    found = BEGINNING.match(beginning)
    return Unserved(found[1].decode()) if found else None


def described(asked: Asked, agent: Spawned, env: Mapping[str, str], mode: str) -> Request | None:
    """The request as a hook would be told of it; None for what cannot be asked for."""
    given = asked.given
    cwd = "" if given.get("agent_id") else agent.cwd  # a sub-agent may be in a folder of its own, which is not told
    payload = {
        "hook_event_name": claude.EVENT, "session_id": agent.session, "tool_name": given.get("tool_name"),
        "tool_input": given.get("input"), "agent_id": given.get("agent_id"), "permission_mode": mode,
        "cwd": cwd,
    }  # fmt: skip
    return claude.described(payload, env, agent.pid, agent.start)


def decided(id_: str, request: Request, answer: Word) -> bytes:
    """With the input as it came: an older client takes no permission without one."""
    return _response(id_, {"subtype": "success", "response": claude.decided(request, answer)})


def failed(id_: str, why: str) -> bytes:
    """Nobody could be asked. The agent is told so, and goes on without."""
    return _response(id_, {"subtype": "error", "error": why})


def _response(id_: str, said: dict[str, Any]) -> bytes:
    return _line({"type": "control_response", "response": {**said, "request_id": id_}})


def _line(value: dict[str, Any]) -> bytes:
    return json.dumps(value).encode() + b"\n"


def _control(said: dict[str, Any], _line: bytes) -> Event | None:
    id_, given = said.get("request_id"), said.get("request")
    if not _is_id(id_):
        return None
    is_asked = isinstance(given, dict) and given.get("subtype") == "can_use_tool"
    return Asked(str(id_), given) if is_asked and isinstance(given, dict) else Unserved(str(id_))


def _cancel(said: dict[str, Any], _line: bytes) -> Event | None:
    return Cancelled(said["request_id"]) if _is_id(said.get("request_id")) else None


def _system(said: dict[str, Any], _line: bytes) -> Event | None:
    subtype = said.get("subtype")
    if subtype == "session_state_changed":
        return Rests(said.get("state") == "idle")
    if subtype == "background_tasks_changed" and isinstance(said.get("tasks"), list):
        return Tasks(frozenset(one["task_id"] for one in said["tasks"] if isinstance(one, dict) and _is_task(one)))
    if subtype in ("task_started", "task_notification") and _is_task(said):
        return (TaskStarted if subtype == "task_started" else TaskEnded)(said["task_id"])
    mode = said.get("permissionMode")
    return Mode(mode) if isinstance(mode, str) and len(mode) <= LONGEST_WORD else None


def _is_id(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= LONGEST_ID


def _is_task(said: dict[str, Any]) -> bool:
    return _is_id(said.get("task_id"))


READERS: dict[str, Callable[[dict[str, Any], bytes], Event | None]] = {
    "control_request": _control,
    "control_cancel_request": _cancel,
    "system": _system,
    "result": lambda _said, line: Finished(line),
}
