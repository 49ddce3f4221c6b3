"""One line of Gemini CLI's transcript becomes the events that no hook tells of. Pure.

A line is a record, a record once more with its results, or a patch of what came before (`$set`). When a person has
interrupted a turn, it also writes earlier prompts again, as if they were new: prompts are left to the hooks.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from watcher.files.records import record_of, seconds
from watcher.rules.turn_events import Ended, Failed, Handed, Interrupted

if TYPE_CHECKING:
    from collections.abc import Callable

    from watcher.rules.turn_events import Event

Record = dict[str, Any]

CANCELLED = frozenset({"Request cancelled.", "User cancelled the request."})  # rejected or interrupted
HOOKED = ("Agent execution stopped: ", "Agent execution blocked: ")  # by a hook of the user
API_ERROR = "[API Error"
HEAD = 400  # the kind of a record is told at its beginning

_KIND = re.compile(rb'"type": ?"(?:info|warning|error|user)"')
_STATUS = re.compile(r'"status": ?"([A-Z_]{1,40})"')
# Google's names of errors, in the words that we have.
ERRORS = {
    "RESOURCE_EXHAUSTED": "rate limit", "UNAUTHENTICATED": "authentication", "PERMISSION_DENIED": "permission",
    "INVALID_ARGUMENT": "invalid request", "FAILED_PRECONDITION": "invalid request", "UNAVAILABLE": "overloaded",
    "INTERNAL": "server error", "DEADLINE_EXCEEDED": "timeout", "NOT_FOUND": "model not found",
}  # fmt: skip


def parse(line: bytes) -> Event | None:
    record = record_of(line) if _may_matter(line) else None
    at = seconds(record.get("timestamp")) if record else None
    reader = _READERS.get(record["type"]) if record and isinstance(record.get("type"), str) else None
    return None if record is None or at is None or reader is None else reader(record.get("content"), at)


def is_end(line: bytes) -> bool:
    """Whether nothing before this line is needed to know the turn."""
    return isinstance(parse(line), (Interrupted, Failed, Ended))


def begun_at(line: bytes) -> float | None:
    """Of the first line of a sub-agent's own transcript."""
    record = record_of(line) if line.startswith(b'{"sessionId"') else None
    return seconds(record.get("startTime")) if record else None


def is_summary(line: bytes) -> bool:
    """With which a sub-agent's transcript ends, if it has completed its task."""
    return line.startswith(b'{"$set":{"summary"')


def _may_matter(line: bytes) -> bool:
    """Spare the decoder the bulky lines: patches of the whole conversation, answers, screens full of output."""
    return not line.startswith(b'{"$') and _KIND.search(line[:HEAD]) is not None


def _info(content: object, at: float) -> Event | None:
    if not isinstance(content, str):
        return None
    if content in CANCELLED:
        return Interrupted(at)
    return Ended(at) if content.startswith(HOOKED) else None


def _error(content: object, at: float) -> Event | None:
    if not isinstance(content, str) or not content.startswith(API_ERROR):
        return None
    found = _STATUS.search(content[:4096])
    return Failed(at, ERRORS.get(found[1], "API error") if found else "API error")


def _user(content: object, at: float) -> Event | None:
    """What is said in the user's name may be what the tools have answered."""
    parts = content if isinstance(content, list) else []
    return Handed(at) if any(isinstance(part, dict) and "functionResponse" in part for part in parts) else None


_READERS: dict[str, Callable[[object, float], Event | None]] = {
    "info": _info,
    "warning": _info,
    "error": _error,
    "user": _user,
}
