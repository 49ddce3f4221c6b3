"""A line of Gemini CLI's transcript: the ends that no hook tells of, and nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest

from watcher.clients.gemini.transcript import begun_at, is_end, parse
from watcher.rules.turn_events import Ended, Failed, Handed, Interrupted

NOON = "2026-11-16T12:00:00.000Z"
AT = 1794830400.0
SCRIPTED = '[API Error: {"error":{"message":"scripted","code":400,"status":"%s"}}]'


def line(kind: str, content: Any = "", **more: Any) -> bytes:
    record = {"id": "c34d50ca-ccfc", "timestamp": NOON, "type": kind, "content": content, **more}
    return json.dumps(record, separators=(",", ":")).encode()


RESPONSE = {"functionResponse": {"id": "run_shell_command__1", "name": "run_shell_command", "response": {}}}
CALLS = {"toolCalls": [{"id": "run_shell_command__1", "name": "run_shell_command", "status": "cancelled"}]}


@pytest.mark.parametrize(
    ("written", "event"),
    [
        (line("info", "Request cancelled."), Interrupted(AT)),
        (line("error", SCRIPTED % "INVALID_ARGUMENT"), Failed(AT, "invalid request")),
        (line("error", SCRIPTED % "RESOURCE_EXHAUSTED"), Failed(AT, "rate limit")),
        (line("error", SCRIPTED % "NEW_IN_2030"), Failed(AT, "API error")),
        (line("error", "[API Error: fetch failed]"), Failed(AT, "API error")),
        (line("user", [RESPONSE]), Handed(AT)),
        (line("info", "Agent execution stopped: no way"), Ended(AT)),
        (line("warning", "Agent execution blocked: no way"), Ended(AT)),
        (json.dumps(json.loads(line("info", "Request cancelled."))).encode(), Interrupted(AT)),
    ],
)
def test_what_it_tells(written: bytes, event: object) -> None:
    assert parse(written) == event


@pytest.mark.parametrize(
    "written",
    [
        line("user", [{"text": "play one"}]),
        line("user", [{"text": "<session_context>\n</session_context>"}, {"text": "play one"}]),
        line("user", [{"text": '"functionResponse"'}]),
        line("user", "Request cancelled."),
        line("gemini", "Request cancelled."),
        line("gemini", "", **CALLS),
        line("info", "This request failed. Press F12 for diagnostics"),
        line("info", "I say: Request cancelled."),
        line("error", "Unknown command: /foo"),
        line("warning", "You are near your limit."),
        line("gemini", "Agent execution stopped: no way"),
        b'{"$set":{"messages":[' + line("info", "Request cancelled.") + b"]}}",
        b'{"$rewindTo":"c34d50ca"}',
    ],
)
def test_what_tells_nothing(written: bytes) -> None:
    assert parse(written) is None
    assert not is_end(written)


def test_only_an_end_makes_what_was_before_it_needless() -> None:
    assert is_end(line("info", "Request cancelled."))
    assert is_end(line("error", SCRIPTED % "INTERNAL"))
    assert not is_end(line("user", [RESPONSE]))


@pytest.mark.parametrize(
    "written",
    [
        b"",
        line("info", "Request cancelled.")[:-20],
        line("info", "Request cancelled.") * 2,
        line("info", "Request cancelled.").replace(NOON.encode(), b"2026-13-45T99:00:00Z"),
        line("info", "Request cancelled.").replace(b'"' + NOON.encode() + b'"', b"7"),
        b'{"type":"info","timestamp":' + b"[" * 200_000,
        b'{"type":["info"],"x":{"type":"info"},"timestamp":"' + NOON.encode() + b'"}',
        b'[{"type":"info"}]',
        line("user", {"functionResponse": 1}),
        line("user", [["functionResponse"], None, 7]),
        line("error", None),
        line("info", ["Request cancelled."]),
        b"\0" * 100,
    ],
)
def test_broken_and_odd_lines_tell_nothing(written: bytes) -> None:
    assert parse(written) is None


def test_a_sub_agents_file_says_when_it_began() -> None:
    assert begun_at(b'{"sessionId":"x","startTime":"' + NOON.encode() + b'","kind":"subagent"}') == AT
    assert begun_at(b'{"sessionId":"x","startTime":7}') is None
    assert begun_at(line("user", [{"text": "x"}])) is None
