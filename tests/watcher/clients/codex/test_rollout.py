"""What a line of a rollout tells."""

from __future__ import annotations

import json
from typing import Any

import pytest

from watcher.clients.codex.rollout import gist, opens_turn, parse
from watcher.rules.turn_events import Activity, Call, Compacted, Ended, Failed, Interrupted, Prompt, Result

NOON = 1_794_916_800.0


def line(kind: str, **payload: Any) -> bytes:
    whole = {"timestamp": "2026-11-17T12:00:00.000Z", "ordinal": 9, "type": kind, "payload": payload}
    return json.dumps(whole, separators=(",", ":")).encode()


def event(kind: str, **more: Any) -> bytes:
    return line("event_msg", type=kind, turn_id="t", **more)


def item(kind: str, **more: Any) -> bytes:
    return line("response_item", type=kind, **more)


def test_a_turn_begins_and_ends() -> None:
    assert parse(event("task_started", turn_attribution={"turn_trigger": "user"})) == (Prompt(NOON, machine=False),)
    assert parse(event("task_started")) == (Prompt(NOON, machine=False),)
    assert parse(event("task_started", turn_attribution={"turn_trigger": "agent"})) == (Prompt(NOON, machine=True),)
    assert parse(event("task_complete", error=None, last_agent_message="x")) == (Ended(NOON),)
    assert parse(event("turn_aborted", reason="interrupted")) == (Interrupted(NOON),)
    assert parse(line("compacted", message="x")) == (Compacted(NOON),)


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ("internal_server_error", "server error"),
        ("usage_limit_exceeded", "usage limit"),
        ("something_new", "API error"),
        ({"response_too_many_failed_attempts": {"http_status_code": 429}}, "rate limit"),
        ({"http_connection_failed": {"http_status_code": 503}}, "server error"),
        ({"http_connection_failed": {"http_status_code": True}}, "API error"),
        ({"http_connection_failed": None}, "API error"),
        ({}, "API error"),
        (None, "API error"),
        ([], "API error"),
    ],
)
def test_an_error_has_words_of_our_own(told: Any, words: str) -> None:
    error = {"message": "secret words of the client", "codex_error_info": told}
    assert parse(event("task_complete", error=error)) == (Failed(NOON, words),)


def test_calls_begin_and_end() -> None:
    assert parse(item("function_call", name="exec_command", call_id="c")) == (Call(NOON, "c", "Bash"),)
    assert parse(item("function_call", name="request_user_input", call_id="c")) == (Call(NOON, "c", "AskUserQuestion"),)
    assert parse(item("custom_tool_call", name="apply_patch", call_id="c")) == (Call(NOON, "c", "Edit"),)
    assert parse(item("function_call_output", call_id="c", output="fine")) == (Result(NOON, "c", None),)


def test_a_call_that_was_aborted_ends_its_turn_at_once() -> None:
    ended = Result(NOON, "c", None), Interrupted(NOON)
    assert parse(item("function_call_output", call_id="c", output="Wall time: 1.6 seconds\naborted by user")) == ended
    assert parse(item("function_call_output", call_id="c", output="aborted by user after 2.1s")) == ended
    printed = "Chunk ID: 04cabc\nWall time: 1.6 seconds\nOutput:\naborted by user"
    assert parse(item("function_call_output", call_id="c", output=printed)) == ended[:1]


def test_what_the_model_says_and_thinks_is_a_sign_of_life_and_what_others_say_is_none() -> None:
    assert parse(item("message", role="assistant", content=[])) == (Activity(NOON),)
    assert parse(item("reasoning", summary=[])) == (Activity(NOON),)
    assert parse(item("message", role="user", content=[])) == ()
    assert parse(item("message", role="developer", content=[])) == ()


def test_only_a_turn_that_begins_makes_what_is_before_it_superfluous() -> None:
    assert opens_turn(event("task_started"))
    assert not opens_turn(event("task_complete"))
    assert not opens_turn(item("message", role="user", content='"type":"task_started"'))


@pytest.mark.parametrize(
    "odd",
    [
        b"", b"{", b"[]", b"7", b"\xff\xfe", b"\0" * 50, b'{"type":"event_msg","payload":{"type":"task_started"}}',
        b'{"timestamp":7,"type":"event_msg","payload":{"type":"task_started"}}',
        b'{"timestamp":"9999999-01-01","type":"event_msg","payload":{"type":"task_started"}}',
        event("something_new"), line("session_meta", id="x"), item("function_call_output", call_id=7, output=None),
        b'{"timestamp":"2026-11-17T12:00:00Z","type":"event_msg","payload":{"type":"task_started"' + b"[" * 9999,
    ],
)  # fmt: skip
def test_odd_lines_tell_nothing(odd: bytes) -> None:
    assert parse(odd) == ()


def test_of_a_line_too_long_to_hold_the_head_tells_enough() -> None:
    stamp = b"2026-11-17T12:00:00.000Z"
    long = item("function_call_output", call_id="c", output="x" * 9999)[:4096]
    assert parse(gist(long, stamp)) == (Result(NOON, "c", None),)
    called = item("function_call", name="exec_command", call_id="c", arguments="x" * 9999)[:4096]
    assert parse(gist(called, stamp)) == (Call(NOON, "c", "Bash"),)
    assert gist(line("session_meta", id="x"), stamp) == b""
