"""One line of Copilot CLI's events: what it tells, and of whom."""

from __future__ import annotations

import json
from typing import Any

import pytest

from watcher.clients.base import Meta
from watcher.clients.copilot.transcript import NOTHING, gist, opens_turn, parse
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

AT = 1794821817.379
STAMP = "2026-11-16T09:36:57.379Z"


def line(kind: str, agent: str = "", **data: Any) -> bytes:
    whose = {"agentId": agent} if agent else {}
    record = {"type": kind, "data": data, "id": "i1", **whose, "timestamp": STAMP, "parentId": "p1"}
    return json.dumps(record, separators=(",", ":")).encode()


def request(kind: str, **more: str) -> bytes:
    return line("permission.requested", requestId="r1", permissionRequest={"kind": kind, "toolCallId": "c1", **more})


@pytest.mark.parametrize(
    ("raw", "events"),
    [
        (line("user.message", content="x"), (Prompt(AT, machine=False),)),
        (line("user.message", "k1", content="x"), (Prompt(AT, machine=True),)),
        (line("assistant.turn_start", turnId="0"), (Activity(AT),)),
        (line("assistant.turn_end", turnId="0"), ()),  # of one request to the model, not of the turn
        (line("assistant.message", toolRequests=[{"name": "bash"}]), (Activity(AT),)),
        (line("assistant.message", toolRequests=[]), (Activity(AT), Message(AT, "end_turn"))),
        (line("tool.execution_complete", toolCallId="c1", success=False), (Result(AT, "c1", None),)),
        (line("permission.completed", requestId="r1", result={"kind": "approved"}), (Answered(AT, "r1"),)),
        (line("abort", reason="user_abort"), (Interrupted(AT),)),
        (line("session.shutdown"), (Ended(AT),)),
        (line("hook.start", hookType="agentStop"), ()),
    ],
)
def test_a_line_tells_of_what_has_happened(raw: bytes, events: tuple[object, ...]) -> None:
    assert parse(raw).events == events


def test_a_call_says_what_it_is_about_without_its_secrets() -> None:
    def call(tool: str, **given: Any) -> Any:
        (found,) = parse(line("tool.execution_start", toolCallId="c1", toolName=tool, arguments=given)).events
        assert isinstance(found, Call)
        return found.tool, found.target

    assert call("bash", command="npm test") == ("Bash", "npm test")
    assert call("ask_user", message="Which?") == ("AskUserQuestion", "")
    assert call("task", description="kid", prompt="x") == ("Agent", "kid")
    assert call("github-search", query="x") == ("github-search", "")
    assert "hunter2" not in call("bash", command="curl -u me:hunter2 x")[1]
    assert "hunter2" not in str(parse(request("shell", fullCommandText="curl -u me:hunter2 x")).events)


@pytest.mark.parametrize(
    ("raw", "tool", "target"),
    [
        (request("shell", fullCommandText="touch x"), "Bash", "touch x"),
        (request("write", fileName="/p/new.txt", diff="+x"), "Edit", "/p/new.txt"),
        (request("read", path="/etc/hosts"), "Read", "/etc/hosts"),
        (request("url", url="https://x.org/"), "WebFetch", "https://x.org/"),
        (request("mcp", toolName="find"), "mcp", "find"),
        (request("hologram"), "hologram", ""),
    ],
)
def test_a_request_says_for_what(raw: bytes, tool: str, target: str) -> None:
    assert parse(raw).events == (Asked(AT, "r1", "c1", tool, target),)


def test_a_request_that_ended_with_the_session_aborts_the_turn() -> None:
    ended = {"kind": "cancelled", "reason": "Session aborted"}
    assert parse(line("permission.completed", "k1", requestId="r1", result=ended)).aborts
    assert not parse(line("permission.completed", requestId="r1", result={"kind": "denied"})).aborts


@pytest.mark.parametrize(
    ("code", "words"),
    [(400, "invalid request"), (429, "rate limit"), (503, "server error"), (None, "API error"), ("x", "API error")],
)
def test_an_error_is_named_by_its_code_and_never_quoted(code: Any, words: str) -> None:
    assert parse(line("session.error", statusCode=code, message="secret")).events == (Failed(AT, words),)


def test_a_sub_agent_is_told_of_with_its_type_and_its_end() -> None:
    made = parse(line("subagent.started", "k1", toolCallId="c1", agentType="general-purpose", executionMode="sync"))
    assert (made.agent, made.meta, made.in_background) == ("k1", Meta("general-purpose", "c1"), False)
    apart = parse(line("subagent.started", "k1", toolCallId="c1", executionMode="background"))
    assert apart.in_background
    over = parse(line("subagent.completed", "k1", toolCallId="c1", agentName="general-purpose")).meta
    assert over is not None
    assert over.over
    assert parse(line("subagent.started", toolCallId="c1")) == NOTHING  # of nobody


def test_only_a_prompt_of_main_opens_a_turn() -> None:
    assert opens_turn(line("user.message"))
    assert not opens_turn(line("user.message", "k1"))
    assert not opens_turn(line("assistant.message", toolRequests=[]))


@pytest.mark.parametrize(
    "raw",
    [
        b"", b"{", b"[]", b"\xff\xfe", b'{"type":"user.message"', b'{"type":7}', b'{"type":"user.message","data":7}',
        line("user.message").replace(STAMP.encode(), b"soon"), line("tool.execution_start", toolCallId=7, toolName=[]),
        line("tool.execution_start", toolCallId="c\n", toolName="x"), line("permission.requested", requestId={}),
        line("permission.requested", requestId="r1", permissionRequest=[]), line("permission.completed", requestId=""),
        line("tool.execution_complete"), b'{"type":"abort","data":' + b"[" * 9999, line("subagent.started", "k" * 999),
    ],
)  # fmt: skip
def test_what_is_malformed_says_nothing(raw: bytes) -> None:
    assert parse(raw).events == ()


def test_of_a_line_too_long_to_hold_the_end_of_its_call_is_told() -> None:
    long = line("tool.execution_complete", toolCallId="c1", result="x" * 9999)
    assert parse(gist(long[:4096], STAMP.encode())).events == (Result(AT, "c1", None),)
    assert gist(line("assistant.message", content="x" * 9999)[:4096], STAMP.encode()) == b""
