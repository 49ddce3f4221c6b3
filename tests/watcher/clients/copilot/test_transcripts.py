"""The events of a Copilot session followed in one file: of main and its sub-agents, and where the file shrinks."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from watcher.clients.copilot.adapter import ADAPTER
from watcher.clients.copilot.transcripts import Following
from watcher.clock import Clock
from watcher.files.allowance import EACH, Allowance, Share

if TYPE_CHECKING:
    from pathlib import Path

    from watcher.rules.turn import Turn


class Session:
    """A file of events, a second apart, and who follows it."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "events.jsonl"
        self.path.touch()
        self.clock, self.number = Clock(), 0
        self.following = Following(str(self.path))

    def tells(self, kind: str, agent: str = "", **data: Any) -> None:
        self.number += 1
        stamp = f"2026-11-16T09:{self.number // 60:02}:{self.number % 60:02}.000Z"
        whose = {"agentId": agent} if agent else {}
        record = {"type": kind, "data": data, **whose, "timestamp": stamp}
        with self.path.open("a") as file:
            file.write(json.dumps(record, separators=(",", ":")) + "\n")

    def look(self, live: set[str] | None = None) -> dict[str, Turn]:
        self.following.look(self.clock.tick() + 1e9, self.clock, live)
        return self.following.turns


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session(tmp_path)


def asks(session: Session, agent: str, request: str) -> None:
    wanted = {"kind": "shell", "toolCallId": f"c-{request}", "fullCommandText": "touch x"}
    session.tells("permission.requested", agent, requestId=request, permissionRequest=wanted)


def spawns(session: Session, kid: str, by: str = "", mode: str = "sync") -> None:
    call = f"call-{kid}"
    session.tells("tool.execution_start", by, toolCallId=call, toolName="task", arguments={"description": kid})
    session.tells("subagent.started", kid, toolCallId=call, agentType="general-purpose", executionMode=mode)


def test_a_request_is_open_until_it_is_answered(session: Session) -> None:
    session.tells("user.message")
    asks(session, "", "r1")
    asks(session, "", "r2")
    assert list(session.look()["main"].asks) == ["r1", "r2"]
    session.tells("permission.completed", requestId="r1", result={"kind": "approved"})
    assert list(session.look()["main"].asks) == ["r2"]
    session.tells("tool.execution_complete", toolCallId="c-r2")
    assert not session.look()["main"].asks
    asks(session, "", "r3")
    session.tells("abort", reason="user_initiated")
    assert (session.look()["main"].how, dict(session.look()["main"].asks)) == ("interrupt", {})


def test_a_prompt_that_is_taken_back_was_interrupted(session: Session) -> None:
    session.tells("user.message")
    session.tells("assistant.message", toolRequests=[])
    kept = session.path.read_bytes()
    before = session.look()["main"]
    session.tells("user.message")
    session.tells("assistant.turn_start")
    assert session.look()["main"].open
    with session.path.open("wb") as file:
        file.write(kept)
    left = session.look()["main"]
    assert (left.prompted_at, left.how) == (before.prompted_at, "interrupt")
    assert session.look()["main"] == left
    session.tells("user.message")
    assert session.look()["main"].open


def test_the_very_first_prompt_may_be_taken_back_too(session: Session) -> None:
    session.tells("session.start")
    begun = session.path.read_bytes()
    session.tells("user.message")
    assert session.look()["main"].open
    with session.path.open("wb") as file:
        file.write(begun)
    assert (session.look()["main"].how, session.look()["main"].open) == ("interrupt", False)


def test_a_file_that_is_laid_down_anew_as_it_was_tells_the_same(session: Session, tmp_path: Path) -> None:
    session.tells("user.message")
    session.tells("assistant.turn_start")
    session.look()
    (tmp_path / "copy").write_bytes(session.path.read_bytes())
    (tmp_path / "copy").replace(session.path)
    assert session.look()["main"].open


def test_a_sub_agent_may_ask_before_its_prompt_is_written(session: Session) -> None:
    session.tells("user.message")
    asks(session, "k1", "r1")
    spawns(session, "k1")
    session.tells("user.message", "k1", source="agent-s1")
    session.tells("assistant.turn_start", "k1")
    assert list(session.look({"k1"})["k1"].asks) == ["r1"]


def test_who_called_a_sub_agent_is_its_parent(session: Session) -> None:
    session.tells("user.message")
    spawns(session, "k1")
    spawns(session, "k2", by="k1")
    session.look()
    assert {key: meta.parent for key, meta in session.following.metas.items()} == {"k1": "", "k2": "k1"}
    session.tells("subagent.completed", "k2", toolCallId="call-k2", agentName="general-purpose")
    session.look({"k1", "k2"})
    meta = session.following.metas["k2"]
    assert (meta.parent, meta.type, meta.over) == ("k1", "general-purpose", True)


def test_one_in_the_background_does_not_end_with_its_call(session: Session) -> None:
    session.tells("user.message")
    spawns(session, "k1", mode="background")
    session.tells("tool.execution_complete", toolCallId="call-k1")
    main = session.look()["main"]
    assert ("call-k1" in main.results, list(main.tasks), dict(main.finished)) == (True, ["k1"], {})
    session.tells("subagent.completed", "k1", toolCallId="call-k1")
    main = session.look()["main"]
    assert (dict(main.tasks), list(main.finished)) == ({}, ["k1"])


def test_those_whom_hooks_know_to_have_stopped_are_history(session: Session) -> None:
    session.tells("user.message")
    spawns(session, "k1")
    spawns(session, "k2")
    session.tells("subagent.failed", "k2", toolCallId="call-k2")
    assert set(session.look()) == {"main", "k1"}
    assert set(session.look({"k2"})) == {"main", "k2"}
    assert set(session.look(set())) == {"main"}


def test_an_interruption_ends_those_it_has_waited_for_and_nobody_else(session: Session) -> None:
    session.tells("user.message")
    spawns(session, "k1")
    spawns(session, "k2", mode="background")
    session.tells("abort", reason="user_abort")
    assert [(key, turn.how) for key, turn in session.look().items()] == [
        ("main", "interrupt"),
        ("k1", "interrupt"),
        ("k2", None),
    ]


def test_a_request_of_a_sub_agent_that_is_cut_off_ends_the_whole_turn_at_once(session: Session) -> None:
    session.tells("user.message")
    spawns(session, "k1")
    asks(session, "k1", "r1")
    session.tells("permission.completed", "k1", requestId="r1", result={"reason": "Session aborted"})
    assert {turn.how for turn in session.look().values()} == {"interrupt"}


def test_of_a_file_that_is_read_in_portions_nothing_counts_before_all_is_read(session: Session) -> None:
    allowance = Allowance()
    session.following = Following(str(session.path), Share(allowance, "s1"))
    session.tells("user.message")
    assert session.look()["main"].open
    session.tells("system.message", content="x" * (2 * EACH))
    session.tells("abort", reason="user_abort")
    allowance.begin()
    assert session.look()["main"].open
    while allowance.waiting:
        allowance.begin()
        session.look()
    assert session.look()["main"].how == "interrupt"


def test_nothing_new_is_told_by_the_file_alone(session: Session) -> None:
    session.tells("user.message")
    session.look(set())
    mark = session.following.mark(set())
    assert mark is not None
    assert mark.stands()
    assert session.following.is_unchanged(0.0, set())
    session.path.write_bytes(b"")
    assert not mark.stands()
    session.path.unlink()
    session.look(set())
    assert (session.following.mark(set()), session.following.is_unchanged(0.0, set())) == (None, False)


@pytest.mark.parametrize("name", ["../x", "", "a/b", "x" * 200, "s\0"])
def test_no_session_has_a_transcript_outside_of_its_folder(name: str) -> None:
    assert ADAPTER.transcript("/home/me/.copilot", "/p", name) == ""
    assert ADAPTER.transcript("/c", "/p", "s1") == "/c/session-state/s1/events.jsonl"
    assert ADAPTER.folder_of("/c/session-state/s1/events.jsonl") == "/c"
