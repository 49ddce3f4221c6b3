"""Copilot CLI's events in our words: told twice, late, and within sub-agents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from contract.clients import claude
from contract.clients.copilot import EVENTS
from contract.facts import Stamp
from recorder import changes
from recorder.clients import copilot

if TYPE_CHECKING:
    from contract.facts import Fact

TRANSCRIPT = "/home/me/.copilot/session-state/s1/events.jsonl"
KID = {"agent_id": "k1", "agent_type": "general-purpose", "parent_agent_id": "s1"}


def told(name: str, **more: Any) -> dict[str, Any]:
    return {"hook_event_name": name, "session_id": "s1", "timestamp": f"{name}-time", "cwd": "/home/me/proj", **more}


def started(**more: Any) -> dict[str, Any]:
    """A sub-agent: the only event without a name, and with keys of both kinds."""
    return {"sessionId": "s1", "timestamp": 1, "transcriptPath": TRANSCRIPT, "agentName": "g", **KID, **more}


def known(*events: dict[str, Any], at: list[float] | None = None) -> Fact:
    fact: Fact | None = None
    for time, one in zip(at or range(1000, 1000 + len(events)), events, strict=True):
        for change in copilot.translate(one):
            fact = changes.record(fact, change, Stamp((time, time))) or fact
    assert fact is not None
    return fact


def test_every_event_we_register_is_understood_and_no_other() -> None:
    assert set(copilot.EVENTS) == set(EVENTS)
    with pytest.raises(ValueError, match="none we listen to"):
        copilot.translate(told("Prelude"))
    with pytest.raises(ValueError, match="none we listen to"):
        copilot.translate({"session_id": "s1"})


def test_what_a_hook_in_claudes_settings_hears_besides_is_of_no_interest() -> None:
    heard = {"PreToolUse", "PostToolUse", "PostToolUseFailure", "PreCompact"}
    assert heard <= set(claude.EVENTS)
    assert [copilot.translate(told(name)) for name in heard] == [()] * len(heard)
    assert copilot.translate({"hookName": "permissionRequest", "sessionId": "s1"}) == ()


def test_a_prompt_that_two_hooks_tell_of_is_one() -> None:
    fact = known(told("UserPromptSubmit", prompt="x"), told("UserPromptSubmit", prompt="x"), at=[1.0, 1.5])
    assert fact.turn is not None
    assert (fact.turn.is_open, fact.turn.queued, fact.turn.opened) == (True, None, (1.0, 1.0))


@pytest.mark.parametrize("source", ["new", "resume"])
def test_a_start_that_is_told_after_its_prompt_leaves_the_turn_open(source: str) -> None:
    start = told("SessionStart", source=source, initial_prompt="x")
    fact = known(told("UserPromptSubmit", prompt="x"), start)
    assert fact.turn is not None
    assert fact.turn.is_open


def test_a_start_that_is_told_late_ends_only_what_was_before_it() -> None:
    """The client does not wait for it: a sub-agent may have begun since."""
    start = told("SessionStart", source="resume", initial_prompt="x", timestamp="2026-11-16T12:00:10.000Z")
    fact = known(told("UserPromptSubmit", prompt="x"), start, at=[70.2, 71.5])
    assert fact.turn is not None
    assert (fact.started, fact.listed, fact.turn.opened) == ((70.0, 70.0), (70.0, 70.0), (70.2, 70.2))


def test_a_start_is_dated_as_it_is_told_if_the_clock_was_set() -> None:
    start = told("SessionStart", source="resume", initial_prompt="x", timestamp="2026-11-16T12:00:10.000Z")
    assert known(start, at=[100.0]).started == (100.0, 100.0)


def test_a_new_session_is_never_at_rest_on_the_way_to_its_first_prompt() -> None:
    start = told("SessionStart", source="new", initial_prompt="x")
    assert [change.kind for change in copilot.translate(start)] == ["prompted"]


def test_a_session_that_is_resumed_has_not_ended() -> None:
    fact = known(
        told("UserPromptSubmit", prompt="x"),
        told("Stop", transcript_path=TRANSCRIPT),
        told("SessionEnd", reason="user_exit"),
        told("SessionStart", source="resume", initial_prompt="y"),
    )
    assert (fact.ended, fact.source, fact.transcript) == (None, "resume", TRANSCRIPT)


def test_within_a_sub_agent_the_session_it_names_is_nobodys() -> None:
    for name in ("UserPromptSubmit", "Stop", "SessionStart", "SessionEnd", "Notification"):
        assert copilot.translate(told(name, **{**KID, "session_id": "k1"})) == ()


def test_a_sub_agent_belongs_to_the_session_that_writes_it_down() -> None:
    """Started by another sub-agent, which it may name as its session."""
    begun = copilot.translate(started(sessionId="k0"))[0]
    over = copilot.translate(told("SubagentStop", transcript_path=TRANSCRIPT, **{**KID, "session_id": "k0"}))[0]
    assert [(change.session, change.agent, change.kind) for change in (begun, over)] == [
        ("s1", "k1", "agent started"),
        ("s1", "k1", "agent stopped"),
    ]
    assert (begun.type, begun.transcript) == ("general-purpose", "")


@pytest.mark.parametrize("path", [None, 7, "", "/events.jsonl.txt", ["x"]])
def test_without_the_path_it_belongs_to_the_session_that_it_names(path: Any) -> None:
    assert copilot.translate(started(transcriptPath=path))[0].session == "s1"


def test_only_dialogs_are_noted() -> None:
    kinds = ["permission_prompt", "elicitation_dialog", "agent_idle", 7, None]
    events = [told("Notification", notification_type=kind) for kind in kinds]
    noted = [change.note for one in events for change in copilot.translate(one)]
    assert noted == ["permission_prompt", "agent_needs_input"]


@pytest.mark.parametrize("name", sorted(EVENTS))
@pytest.mark.parametrize("junk", [None, 7, [], {}, "x", [[]]])
def test_fields_of_the_wrong_type_break_nothing(name: str, junk: Any) -> None:
    keys = ("timestamp", "cwd", "prompt", "initial_prompt", "source", "reason", "notification_type", "transcript_path")
    events = [{**told(name), **dict.fromkeys(keys, junk)}, told("Stop")]
    assert known(*events).session == "s1"


def test_the_pid_of_a_client_around_it_is_not_believed() -> None:
    assert copilot.process({"COPILOT_LOADER_PID": "7"}) == ("", "", False)
