"""One line of the client's `events.jsonl` becomes the events that say how a turn goes, and whose it is. Pure.

The format is internal to the client: what is unknown, malformed or mere bookkeeping becomes nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from contract.clean import clean
from contract.mask import mask
from contract.paths import MAIN
from contract.wire import encode
from watcher.clients.base import Meta
from watcher.files.records import record_of, seconds
from watcher.rules.turn_events import (
    Activity,
    Answered,
    Asked,
    Call,
    Ended,
    Failed,
    Interrupted,
    Message,
    Prompt,
    Result,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from watcher.rules.turn_events import Event

Record = dict[str, Any]

# Its tools by the names that our rules know, and the argument that says in a word what a call is about.
TOOLS = {
    "bash": "Bash", "create": "Write", "edit": "Edit", "view": "Read", "task": "Agent", "ask_user": "AskUserQuestion",
    "glob": "Glob", "grep": "Grep", "web_fetch": "WebFetch", "skill": "Skill",
}  # fmt: skip
TARGETS = {
    "bash": "command", "create": "path", "edit": "path", "view": "path", "task": "description", "glob": "pattern",
    "grep": "pattern", "web_fetch": "url", "skill": "skill",
}  # fmt: skip
# The same of requests, by their kind.
KINDS = {"shell": "Bash", "write": "Edit", "read": "Read", "url": "WebFetch"}
ABOUT = {"shell": "fullCommandText", "write": "fileName", "read": "path", "url": "url", "mcp": "toolName"}
ERRORS = {400: "invalid request", 401: "authentication", 402: "billing", 403: "permission", 404: "model not found",
          408: "timeout", 413: "invalid request", 429: "rate limit", 529: "overloaded"}  # fmt: skip
SERVER_ERROR = 500
IN_BACKGROUND = "background"
ABORTED = "Session aborted"  # why a request was answered by nobody
NAME_LIMIT, ID_LIMIT, LONGEST_TARGET, TARGET_LENGTH = 64, 128, 400, 60

_FIRST = re.compile(rb'\{"type": ?"([a-z_.]{1,40})"')
_ENDED_CALL = re.compile(rb'\{"type": ?"tool\.execution_complete", ?"data": ?\{"toolCallId": ?"([\w-]{1,128})"')


class Line(NamedTuple):
    """What one line tells."""

    agent: str = MAIN
    events: tuple[Event, ...] = ()
    meta: Meta | None = None  # on this sub-agent
    in_background: bool = False  # it goes on when the turn that started it is over
    aborts: bool = False  # the whole turn, main's too; the line that says so comes a moment later


NOTHING = Line()


def parse(line: bytes) -> Line:
    first = _FIRST.match(line)
    reader = _READERS.get(first[1].decode()) if first else None
    record = record_of(line) if reader else None
    at = seconds(record.get("timestamp")) if record else None
    if reader is None or record is None or at is None:
        return NOTHING
    agent, data = _id(record.get("agentId")) or MAIN, record.get("data")
    return reader(agent, data if isinstance(data, dict) else {}, at)


def opens_turn(line: bytes) -> bool:
    """Whether nothing before this line is needed to know the turn."""
    told = parse(line) if line.startswith(b'{"type":"user.message"') else NOTHING
    return told.agent == MAIN and any(isinstance(event, Prompt) for event in told.events)


def gist(head: bytes, stamp: bytes) -> bytes:
    """What the head of a line too long to hold tells, as a small line: a result may hold a whole file."""
    found = _ENDED_CALL.match(head)
    if not found:
        return b""
    data = {"toolCallId": found[1].decode()}
    return encode({"type": "tool.execution_complete", "data": data, "timestamp": stamp.decode()})


def _told(read: Callable[[Record, float], Iterator[Event]]) -> Callable[[str, Record, float], Line]:
    return lambda agent, data, at: Line(agent, tuple(read(data, at)))


def _prompt(agent: str, _data: Record, at: float) -> Line:
    return Line(agent, (Prompt(at, machine=agent != MAIN),))


def _activity(_data: Record, at: float) -> Iterator[Event]:
    yield Activity(at)


def _message(data: Record, at: float) -> Iterator[Event]:
    """One that calls no tool is the last word."""
    yield Activity(at)
    if data.get("toolRequests") == []:
        yield Message(at, "end_turn")


def _call(data: Record, at: float) -> Iterator[Event]:
    call, tool = _id(data.get("toolCallId")), data.get("toolName")
    if not call or not isinstance(tool, str):
        return
    given = data.get("arguments")
    about = given.get(TARGETS.get(tool, "")) if isinstance(given, dict) else None
    yield Call(at, call, TOOLS.get(tool) or clean(tool, NAME_LIMIT), _target(about))


def _result(data: Record, at: float) -> Iterator[Event]:
    if call := _id(data.get("toolCallId")):
        yield Result(at, call, None)


def _asked(data: Record, at: float) -> Iterator[Event]:
    request, wanted = _id(data.get("requestId")), data.get("permissionRequest")
    if not request or not isinstance(wanted, dict):
        return
    kind = wanted.get("kind")
    kind = kind if isinstance(kind, str) else ""
    tool = KINDS.get(kind) or clean(kind, NAME_LIMIT) or "permission"
    yield Asked(at, request, _id(wanted.get("toolCallId")), tool, _target(wanted.get(ABOUT.get(kind, ""))))


def _answered(agent: str, data: Record, at: float) -> Line:
    request, result = _id(data.get("requestId")), data.get("result")
    aborts = isinstance(result, dict) and result.get("reason") == ABORTED
    return Line(agent, (Answered(at, request),), aborts=aborts) if request else NOTHING


def _aborted(_data: Record, at: float) -> Iterator[Event]:
    yield Interrupted(at)


def _failed(data: Record, at: float) -> Iterator[Event]:
    code = data.get("statusCode")
    known = ERRORS.get(code) if type(code) is int else None
    is_server = type(code) is int and code >= SERVER_ERROR
    yield Failed(at, known or ("server error" if is_server else "API error"))


def _over(_data: Record, at: float) -> Iterator[Event]:
    yield Ended(at)


def _sub_agent(agent: str, data: Record, at: float, *, over: bool = False) -> Line:
    meta = Meta(clean(data.get("agentType") or data.get("agentName"), 80), _id(data.get("toolCallId")), over)
    events: tuple[Event, ...] = (Ended(at),) if over else (Activity(at),)
    return NOTHING if agent == MAIN else Line(agent, events, meta, data.get("executionMode") == IN_BACKGROUND)


def _sub_agent_over(agent: str, data: Record, at: float) -> Line:
    return _sub_agent(agent, data, at, over=True)


def _target(word: object) -> str:
    if not isinstance(word, str):
        return ""
    return clean(mask(word[:LONGEST_TARGET], TARGET_LENGTH), TARGET_LENGTH)


def _id(value: object) -> str:
    return value if isinstance(value, str) and len(value) <= ID_LIMIT and value.isprintable() else ""


_READERS: dict[str, Callable[[str, Record, float], Line]] = {
    "user.message": _prompt,
    "assistant.turn_start": _told(_activity),
    "assistant.message": _told(_message),
    "tool.execution_start": _told(_call),
    "tool.execution_complete": _told(_result),
    "permission.requested": _told(_asked),
    "permission.completed": _answered,
    "abort": _told(_aborted),
    "session.error": _told(_failed),
    "session.shutdown": _told(_over),
    "subagent.started": _sub_agent,
    "subagent.completed": _sub_agent_over,
    "subagent.failed": _sub_agent_over,
}
