"""One line of a client's transcript becomes the events that say how its turn goes. Pure.

The format is internal to the client: what is unknown, malformed or mere bookkeeping becomes nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from contract.clean import clean
from contract.wire import encode
from watcher.files.records import record_of, seconds
from watcher.rules.turn_events import (
    Aborted,
    Activity,
    Call,
    Compacted,
    Continued,
    Ended,
    Failed,
    Finished,
    Hooked,
    Interrupted,
    Killed,
    Local,
    Message,
    Prompt,
    Queued,
    Refused,
    Result,
    Started,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from watcher.rules.turn_events import Denier, Event

Record = dict[str, Any]

INTERRUPTS = frozenset({"[Request interrupted by user]", "[Request interrupted by user for tool use]"})
REJECTED = "User rejected tool use"
REJECTIONS = ("Error: The user doesn't want to proceed", "Error: Permission for this tool use was denied")
LOCAL = ("<command-name>", "<local-command-", "<bash-")
MACHINE = ("<task-notification>", "<teammate-message", "Another Claude session sent a message:")
PEOPLE = frozenset({"human", "sdk"})
HOOK_FEEDBACK = "Stop hook feedback:"
LOCAL_IS_OVER = "<local-command-caveat>"  # the first line of what a command of the client's own leaves behind
RESUMED = "Continue from where you left off."
NEWS = "[SYSTEM NOTIFICATION - NOT USER INPUT]"  # wakes a sub-agent when one of its own has ended
GOAL_IS_SET = "A session-scoped Stop hook is now active"  # with which the model is sent to work on it
MOST_LEFT = 1000
NAME_LIMIT, ID_LIMIT = 64, 128

_FIRST = re.compile(rb'\{"type": ?"([a-z_-]{1,40})"')
_ANYWHERE = re.compile(rb'"type": ?"(?:user|assistant|system|queue-operation)"')
_USER = re.compile(rb'"type": ?"user"')
_ROLE = re.compile(rb'"role": ?"(user|assistant)"')
_RESULT = re.compile(rb'"tool_use_id": ?"([\w-]{1,128})"')
_CALL = re.compile(rb'"type": ?"tool_use", ?"id": ?"([\w-]{1,128})", ?"name": ?"([\w-]{1,64})"')
_SIDECHAIN = re.compile(rb'"isSidechain": ?true')
_TASK_END = re.compile(r"<task-id>([A-Za-z0-9_-]{1,64})</task-id>.{0,2048}?<status>", re.DOTALL)
_USAGE_LIMIT = re.compile(r"usage limit|limit reached|hit your .{0,30}limit", re.IGNORECASE)
_ERROR_NAME = re.compile(r"[a-z_]{1,40}")


def parse(line: bytes, *, sidechain: bool = False) -> tuple[Event, ...]:
    """The events of one line. `sidechain`: the file is a sub-agent's own.

    In a main transcript the lines of sub-agents, which older clients wrote there, say nothing.
    """
    record = record_of(line) if _may_matter(line) else None
    if record is None or (record.get("isSidechain") is True and not sidechain):
        return ()
    at, kind = seconds(record.get("timestamp")), record.get("type")
    reader = _READERS.get(kind) if isinstance(kind, str) else None
    return () if at is None or reader is None else tuple(reader(record, at))


def opens_turn(line: bytes, *, sidechain: bool = False) -> bool:
    """Whether nothing before this line is needed to know the turn."""
    events = parse(line, sidechain=sidechain) if _USER.search(line) else ()
    return any(isinstance(event, Prompt) for event in events)


def gist(head: bytes, stamp: bytes) -> bytes:
    """What the head of a line too long to hold tells, as a small line: a call, a result, a sign of life."""
    role, result, call = _ROLE.search(head), _RESULT.search(head), _CALL.search(head)
    block: Record = {"type": "text"}
    if role and role[1] == b"user" and result:
        block = {"type": "tool_result", "tool_use_id": result[1].decode()}
    elif role and role[1] == b"assistant" and call:
        block = {"type": "tool_use", "id": call[1].decode(), "name": call[2].decode()}
    elif not role or role[1] == b"user":
        return b""
    kind, side = role[1].decode(), _SIDECHAIN.search(head) is not None
    message = {"role": kind, "content": [block]}
    return encode({"type": kind, "isSidechain": side, "timestamp": stamp.decode(), "message": message})


def _may_matter(line: bytes) -> bool:
    """Spare the decoder the bulky lines: request bodies, attachments, snapshots."""
    first = _FIRST.match(line)
    return first[1].decode() in _READERS if first else _ANYWHERE.search(line) is not None


def _user(record: Record, at: float) -> Iterator[Event]:
    blocks, text = _blocks(record), _text(record)
    interrupted = any(b.get("type") == "text" and _is_interrupt(b.get("text")) for b in blocks)
    if any(b.get("type") == "tool_result" for b in blocks):
        yield from _results(record, blocks, at)
        yield from _started(record, at)
    elif _opens(record, text, interrupted=interrupted):
        yield from _finished(text, at)
        if record.get("queueTranscriptOnly") is True:
            return  # what a resumed session tells of agents that went with its process: the model hears it later
        is_goal = record.get("isMeta") is True and text.startswith(GOAL_IS_SET)
        is_queued = record.get("promptSource") == "queued"
        yield Prompt(at, _by_machine(record, text), is_goal, is_queued)
        return
    elif record.get("isMeta") is True and text.startswith(HOOK_FEEDBACK):
        yield Continued(at)
    elif record.get("isMeta") is True and text.startswith(LOCAL_IS_OVER):
        yield Local(at)
    elif record.get("isMeta") is True and text and not text.startswith(("<", RESUMED)):
        yield Continued(at, is_sure=False)  # a goal that is not met yet, for instance
    if interrupted:
        yield Interrupted(at)


def _opens(record: Record, text: str, *, interrupted: bool) -> bool:
    """A turn's own marks decide, even on a schedule's meta line or after `!ls`; older clients have none."""
    if record.get("isCompactSummary") is True or record.get("isVisibleInTranscriptOnly") is True:
        return False
    if "turnOrigin" in record or "turnPosition" in record or "promptSource" in record:
        return True
    if record.get("isMeta") is True:
        return text.startswith(GOAL_IS_SET) or (record.get("isSidechain") is True and text.startswith(NEWS))
    if interrupted or text.startswith(LOCAL):
        return False
    return bool(_content(record))


def _by_machine(record: Record, text: str) -> bool:
    origin = record.get("origin")
    marks = (record.get("turnOrigin"), origin.get("kind") if isinstance(origin, dict) else None)
    said = next((mark for mark in marks if isinstance(mark, str)), None)
    if record.get("isSidechain") is True or record.get("promptSource") == "system":
        return True
    return said not in PEOPLE if said else text.startswith(MACHINE)


def _results(record: Record, blocks: list[Record], at: float) -> Iterator[Event]:
    for block in blocks:
        if block.get("type") == "tool_result" and (call := _id(block.get("tool_use_id"))):
            yield Result(at, call, _denier(record))


def _denier(record: Record) -> Denier | None:
    """`toolDenialKind` alone does not tell a person: a call that could not prompt is `user-rejected` too."""
    outcome, kind = record.get("toolUseResult"), record.get("toolDenialKind")
    if isinstance(outcome, str) and (outcome == REJECTED or outcome.startswith(REJECTIONS)):
        return "user"
    if not isinstance(kind, str):
        return None
    return "lost" if kind == "interrupted" else "auto"


def _started(record: Record, at: float) -> Iterator[Event]:
    outcome = record.get("toolUseResult")
    if not isinstance(outcome, dict):
        return
    if shell := _id(outcome.get("backgroundTaskId")):
        yield Started(at, shell, "shell")
    elif outcome.get("isAsync") is True and (agent := _id(outcome.get("agentId"))):
        yield Started(at, agent, "agent")


def _finished(text: str, at: float) -> Iterator[Event]:
    """Only the head is searched: what follows is the task's own output and may quote anything."""
    is_news = text.startswith(("<task-notification>", NEWS))
    if is_news and (found := _TASK_END.search(text[:4096])):
        yield Finished(at, found[1])


def _assistant(record: Record, at: float) -> Iterator[Event]:
    message = record.get("message")
    if record.get("isApiErrorMessage") is True:
        yield Failed(at, _error(record))
    elif not isinstance(message, dict) or message.get("model") == "<synthetic>":
        return  # the client's own filler, written when a broken session goes on
    elif record.get("isAbortedMidStream") is True:
        yield Aborted(at)
    else:
        yield from _calls(record, at) or [Activity(at)]
        if isinstance(reason := message.get("stop_reason"), str):
            yield Message(at, clean(reason, NAME_LIMIT))


def _calls(record: Record, at: float) -> list[Event]:
    blocks = [b for b in _blocks(record) if b.get("type") == "tool_use" and _id(b.get("id"))]
    return [Call(at, _id(b["id"]), clean(b.get("name"), NAME_LIMIT)) for b in blocks]


def _error(record: Record) -> str:
    if _USAGE_LIMIT.search(_text(record)[:400]):
        return "usage limit"
    for name in (record.get("error"), record.get("apiErrorType")):
        if isinstance(name, str) and name != "unknown" and _ERROR_NAME.fullmatch(name):
            return name.removesuffix("_error").replace("_", " ").strip() or "API error"
    return "API error"


def _system(record: Record, at: float) -> Iterator[Event]:
    match record.get("subtype"):
        case "turn_duration":
            yield Ended(
                at, _number(record.get("pendingBackgroundAgentCount")), _number(record.get("pendingWorkflowCount"))
            )
        case "stop_hook_summary" if record.get("preventedContinuation") is True or not _had_a_say(record):
            yield Ended(at)
        case "stop_hook_summary":
            yield Hooked(at)
        case "informational" if record.get("preventContinuation") is True:
            yield Refused(at)
        case "local_command":
            yield Local(at)
        case "compact_boundary":
            yield Compacted(at)
        case "agents_killed":
            yield Killed(at)


def _had_a_say(record: Record) -> bool:
    """Whether a Stop hook may have sent the model back to work; if none did, a `turn_duration` follows."""
    return bool(record.get("hookErrors")) or record.get("hasOutput") is True


def _number(raw: object) -> int:
    return min(raw, MOST_LEFT) if type(raw) is int and raw > 0 else 0


def _queue(record: Record, at: float) -> Iterator[Event]:
    """A task's end that comes in mid-turn is queued and never becomes a prompt."""
    content = record.get("content")
    if isinstance(content, str) and content.startswith("<"):
        yield from _finished(content, at)
    elif record.get("operation") != "dequeue":  # then a prompt's own line follows
        operation = record.get("operation")
        yield Queued(at, waits=operation == "enqueue", every=operation == "popAll")


def _content(record: Record) -> object:
    message = record.get("message")
    return message.get("content") if isinstance(message, dict) else None


def _blocks(record: Record) -> list[Record]:
    content = _content(record)
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _text(record: Record) -> str:
    """The prompt as a plain string, or the first text block."""
    content = _content(record)
    texts = [content, *(block.get("text") for block in _blocks(record) if block.get("type") == "text")]
    return next((text for text in texts if isinstance(text, str)), "")


def _is_interrupt(text: object) -> bool:
    return isinstance(text, str) and text in INTERRUPTS


def _id(value: object) -> str:
    return value if isinstance(value, str) and len(value) <= ID_LIMIT and value.isprintable() else ""


_READERS: dict[str, Callable[[Record, float], Iterator[Event]]] = {
    "user": _user,
    "assistant": _assistant,
    "system": _system,
    "queue-operation": _queue,
}
