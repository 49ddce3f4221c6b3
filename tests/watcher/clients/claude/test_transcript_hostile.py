"""Lines of a transcript that are broken, odd or made to break us."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.transcript_lines import (
    NOON,
    assistant,
    calls,
    prompt,
    result,
)
from watcher.clients.claude.transcript import parse
from watcher.rules.turn_events import Call, Result

HOSTILE = {
    "nothing": b"",
    "half a line": prompt()[:-20],
    "two values": prompt() + prompt(),
    "no object": b'["type":"user"]',
    "a list": b'[{"type":"user"}]',
    "nested too deeply": b'{"type":"user","message":' + b"[" * 200_000 + b"]" * 200_000 + b"}",
    "a number too long": b'{"type":"user","timestamp":' + b"9" * 5000 + b"}",
    "not a number": b'{"type":"user","timestamp":NaN,"message":{"content":"x"}}',
    "no time": b'{"type":"user","message":{"content":"x"}}',
    "a time of no calendar": b'{"type":"user","timestamp":"2026-13-45T99:00:00Z","message":{"content":"x"}}',
    "a time before all time": b'{"type":"user","timestamp":"0001-01-01T00:00:00+23:00","message":5}',
    "a type that is a list": b'{"type":["user"],"x":{"type":"user"},"timestamp":"2026-11-16T00:00:00Z"}',
    "nothing but NUL": b"\0" * 100,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_malformed_line_tells_nothing(name: str) -> None:
    assert parse(HOSTILE[name]) == ()


def test_bytes_that_are_not_utf8_do_not_hide_the_rest_of_the_line() -> None:
    assert parse(result("t1").replace(b'"ok"', b'"\xff\xfe\x80"')) == (Result(NOON, "t1", None),)


def test_nul_bytes_before_a_line_do_not_hide_it() -> None:
    assert parse(b"\0" * 512 + result("t1")) == (Result(NOON, "t1", None),)


def test_lone_surrogates_and_control_characters_do_not_come_through() -> None:
    odd = assistant({"type": "tool_use", "id": "t1", "name": "Ba\ud800\x1b[31m\u202esh" + "x" * 500, "input": {}})
    (call,) = parse(odd)
    assert isinstance(call, Call)
    assert call.tool.isprintable()
    assert len(call.tool) <= 64
    assert parse(result("t\ud800")) == ()


KEYS = [
    "type", "message", "content", "timestamp", "isMeta", "isSidechain", "turnOrigin", "turnPosition", "origin", "kind",
    "promptSource", "promptId", "toolUseResult", "toolDenialKind", "tool_use_id", "id", "name", "text", "model",
    "error", "stop_reason", "subtype", "hookErrors", "compactMetadata", "trigger", "isAsync", "agentId",
    "backgroundTaskId", "operation", "isApiErrorMessage", "apiErrorType", "isAbortedMidStream", "isCompactSummary",
]  # fmt: skip
WORDS = [
    "user", "assistant", "system", "text", "tool_use", "tool_result", "turn_duration", "stop_hook_summary", "enqueue",
    "compact_boundary", "agents_killed", "queue-operation", "[Request interrupted by user]", "interrupted", "end_turn",
    "2026-11-16T00:00:00.000Z", "<task-notification>", "User rejected tool use", "Stop hook feedback:", "human",
]  # fmt: skip
LEAVES = [None, True, False, 0, -1.5, 10**40, float("nan"), "", "x", "\ud800"]


def anything(dice: Random, depth: int = 3) -> Any:
    """A value of any shape, made of the words that the client uses."""
    shape = dice.randrange(6) if depth else 0
    if shape > 3:
        return fields(dice, depth)
    if shape == 3:
        return [anything(dice, depth - 1) for _ in range(dice.randrange(3))]
    return dice.choice(WORDS + LEAVES)


def fields(dice: Random, depth: int = 3) -> dict[str, Any]:
    return {key: anything(dice, depth - 1) for key in dice.sample(KEYS, dice.randrange(len(KEYS) // 2))}


@pytest.mark.parametrize("seed", range(8))
def test_no_shape_of_a_line_raises(seed: int) -> None:
    dice, told_something = Random(seed), 0  # noqa: S311 - a game, no secret
    for _ in range(500):
        record = {key: anything(dice) for key in KEYS if dice.random() < 0.7}
        sound = {"type": dice.choice(WORDS[:3]), "timestamp": "2026-11-16T00:00:00.000Z", "isSidechain": None}
        blocks = [{**fields(dice), "type": dice.choice(WORDS[3:6])} for _ in range(2)]
        message = {"message": {"content": blocks, "stop_reason": anything(dice)}} if dice.random() < 0.7 else {}
        events = parse(json.dumps(record | message | sound).encode())
        assert all(event.at == 1794787200.0 for event in events)
        told_something += bool(events)
    assert told_something > 50


@settings(max_examples=200, deadline=None)
@given(data=st.binary(max_size=200), at=st.integers(0, 400))
def test_no_damage_to_a_line_raises(data: bytes, at: int) -> None:
    whole = calls("t1")
    assert isinstance(parse(whole[:at] + data + whole[at:]), tuple)
