"""One line of a rollout, as Codex calls its transcripts, becomes the events that say how its turn goes. Pure.

The format is internal to the client: what is unknown, malformed or mere bookkeeping becomes nothing. That somebody is
asked is not in it: an open call either runs or asks.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from contract.wire import encode
from watcher.files.records import record_of, seconds
from watcher.rules.turn_events import Activity, Call, Compacted, Ended, Failed, Interrupted, Prompt, Result

if TYPE_CHECKING:
    from collections.abc import Callable

    from watcher.rules.turn_events import Event

    Reader = Callable[["Record", float], tuple[Event, ...]]

Record = dict[str, Any]

# Its tools by the names that our rules know; the hooks call them so, too.
TOOLS = {"exec_command": "Bash", "request_user_input": "AskUserQuestion", "spawn_agent": "Agent", "apply_patch": "Edit"}
# What we call its errors; of others nothing is kept.
ERRORS = {
    "internal_server_error": "server error", "server_overloaded": "overloaded", "usage_limit_exceeded": "usage limit",
    "unauthorized": "authentication", "bad_request": "invalid request",
}  # fmt: skip
STATUSES = {400: "invalid request", 401: "authentication", 403: "permission", 404: "model not found", 429: "rate limit"}
OF_A_SERVER = range(500, 600)
NAME_LIMIT, ID_LIMIT = 64, 128
# In the place of the output of a call; what a command has printed comes after more words of the client.
ABORTED = re.compile(r"(?:Wall time: [0-9.]+ seconds\n)?aborted by user(?: after [0-9.]+s)?")
LONGEST_ABORTED = 100

_KIND = re.compile(rb'"type": ?"(event_msg|response_item|compacted)", ?"payload": ?\{(?:"type": ?"([a-z_]{1,40})")?')
_CALL = re.compile(rb'"name": ?"([\w-]{1,64})"')
_CALL_ID = re.compile(rb'"call_id": ?"([\w-]{1,128})"')
HEAD = 256  # so soon a line says what it is


def parse(line: bytes) -> tuple[Event, ...]:
    found = _KIND.search(line, 0, HEAD)
    reader = _reader(found[1], found[2] or b"") if found else None
    record = record_of(line) if reader else None
    at = seconds(record.get("timestamp")) if record else None
    payload = record.get("payload") if record else None
    if reader is None or at is None or not isinstance(payload, dict):
        return ()
    return reader(payload, at)


def opens_turn(line: bytes) -> bool:
    """Whether nothing before this line is needed to know the turn."""
    found = _KIND.search(line, 0, HEAD)
    return found is not None and found[2] == b"task_started"


def gist(head: bytes, stamp: bytes) -> bytes:
    """What the head of a line too long to hold tells, as a small line: a call, a result, a sign of life."""
    found, name, call = _KIND.search(head, 0, HEAD), _CALL.search(head), _CALL_ID.search(head)
    if found is None or found[1] != b"response_item" or not found[2]:
        return b""
    payload = {"type": found[2].decode(), "role": "assistant"}
    payload |= {"name": name[1].decode()} if name else {}
    payload |= {"call_id": call[1].decode()} if call else {}
    return encode({"timestamp": stamp.decode(), "type": "response_item", "payload": payload})


def _reader(kind: bytes, inner: bytes) -> Reader | None:
    return _READERS.get((kind.decode(), "" if kind == b"compacted" else inner.decode()))


def _started(payload: Record, at: float) -> tuple[Event, ...]:
    told = payload.get("turn_attribution")
    trigger = told.get("turn_trigger") if isinstance(told, dict) else None
    return (Prompt(at, machine=trigger not in ("user", None)),)


def _complete(payload: Record, at: float) -> tuple[Event, ...]:
    error = payload.get("error")
    return (Ended(at) if error is None else Failed(at, _error(error)),)


def _error(error: Any) -> str:
    """In words of our own; the client's message may quote anything."""
    told = error.get("codex_error_info") if isinstance(error, dict) else None
    if isinstance(told, str):
        return ERRORS.get(told, "API error")
    details = next(iter(told.values()), None) if isinstance(told, dict) else None
    code = details.get("http_status_code") if isinstance(details, dict) else None
    if type(code) is not int:
        return "API error"
    return "server error" if code in OF_A_SERVER else STATUSES.get(code, "API error")


def _aborted(_payload: Record, at: float) -> tuple[Event, ...]:
    return (Interrupted(at),)


def _called(payload: Record, at: float) -> tuple[Event, ...]:
    call, name = _text(payload.get("call_id"), ID_LIMIT), _text(payload.get("name"), NAME_LIMIT)
    return (Call(at, call, TOOLS.get(name, name)) if call else Activity(at),)


def _answered(payload: Record, at: float) -> tuple[Event, ...]:
    """A call that was rejected or interrupted ends its turn; the line that says so comes some moments later."""
    call, output = _text(payload.get("call_id"), ID_LIMIT), payload.get("output")
    is_aborted = isinstance(output, str) and ABORTED.fullmatch(output, 0, LONGEST_ABORTED) is not None
    ends: tuple[Event, ...] = (Interrupted(at),) if is_aborted else ()
    return (Result(at, call, None), *ends) if call else ends


def _said(payload: Record, at: float) -> tuple[Event, ...]:
    return (Activity(at),) if payload.get("role") == "assistant" else ()


def _thought(_payload: Record, at: float) -> tuple[Event, ...]:
    return (Activity(at),)


def _compacted(_payload: Record, at: float) -> tuple[Event, ...]:
    return (Compacted(at),)


def _text(raw: Any, limit: int) -> str:
    return raw if isinstance(raw, str) and len(raw) <= limit and raw.isprintable() else ""


_READERS: dict[tuple[str, str], Reader] = {
    ("event_msg", "task_started"): _started,
    ("event_msg", "task_complete"): _complete,
    ("event_msg", "turn_aborted"): _aborted,
    ("response_item", "function_call"): _called,
    ("response_item", "custom_tool_call"): _called,
    ("response_item", "function_call_output"): _answered,
    ("response_item", "custom_tool_call_output"): _answered,
    ("response_item", "message"): _said,
    ("response_item", "reasoning"): _thought,
    ("compacted", ""): _compacted,
}
