"""Qwen Code's events in our words: a call is told when the person has approved it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from contract.clients.qwen import EVENTS
from contract.facts import Stamp
from recorder import changes
from recorder.clients import qwen

if TYPE_CHECKING:
    from contract.facts import Fact

ONE, TWO = {"command": "npm test"}, {"command": "npm run build"}


def told(name: str, **more: Any) -> dict[str, Any]:
    return {"session_id": "s1", "cwd": "/home/me/proj", "hook_event_name": name, "timestamp": f"{name}-time", **more}


def shell(name: str, given: dict[str, str], **more: Any) -> dict[str, Any]:
    return told(name, tool_name="run_shell_command", tool_input=given, **more)


def known(*events: dict[str, Any], at: list[float] | None = None) -> Fact:
    fact: Fact | None = None
    for time, one in zip(at or range(1000, 1000 + len(events)), events, strict=True):
        for change in qwen.translate(one):
            fact = changes.record(fact, change, Stamp((time, time))) or fact
    assert fact is not None
    return fact


def asked(fact: Fact) -> list[str]:
    return [call.target for call in (*fact.calls.values(), *fact.asks) if call.asked]


def test_every_event_we_register_is_understood_and_no_other() -> None:
    assert set(qwen.EVENTS) == set(EVENTS)
    with pytest.raises(ValueError, match="none we listen to"):
        qwen.translate(told("PreCompact"))


def test_a_request_is_open_until_its_call_begins() -> None:
    fact = known(told("UserPromptSubmit", prompt="x"), shell("PermissionRequest", ONE))
    assert asked(fact) == ["npm test"]
    fact = known(
        told("UserPromptSubmit", prompt="x"),
        shell("PermissionRequest", ONE),
        shell("PreToolUse", ONE, tool_use_id="a"),
    )
    assert (asked(fact), fact.calls["a"].name) == ([], "Bash")


def test_of_two_requests_the_one_that_was_not_approved_stays_open() -> None:
    fact = known(
        shell("PermissionRequest", ONE), shell("PermissionRequest", TWO), shell("PreToolUse", TWO, tool_use_id="b")
    )
    assert asked(fact) == ["npm test"]


def test_of_two_equal_requests_one_approval_answers_one() -> None:
    fact = known(
        shell("PermissionRequest", ONE), shell("PermissionRequest", ONE), shell("PreToolUse", ONE, tool_use_id="a")
    )
    assert len(asked(fact)) == 1


def test_an_approval_that_is_told_late_answers_no_newer_request() -> None:
    fact = known(shell("PermissionRequest", ONE), shell("PreToolUse", ONE, tool_use_id="a"), at=[1001.0, 1000.0])
    assert asked(fact) == ["npm test"]


def test_a_question_that_was_answered_is_no_running_call() -> None:
    question = {"tool_name": "ask_user_question", "tool_input": {"questions": []}}
    fact = known(told("PermissionRequest", **question))
    assert [ask.name for ask in fact.asks] == ["AskUserQuestion"]
    fact = known(told("PermissionRequest", **question), told("PreToolUse", **question, tool_use_id="q"))
    assert (fact.asks, fact.calls) == ([], {})


def test_an_empty_prompt_is_only_a_further_request_to_the_model() -> None:
    assert qwen.translate(told("UserPromptSubmit", prompt="")) == ()


@pytest.mark.parametrize("note", ["permission_prompt", "auth_success", None, 7])
def test_only_the_note_that_it_rests_ends_a_turn(note: Any) -> None:
    fact = known(told("UserPromptSubmit", prompt="x"), told("Notification", notification_type="idle_prompt"))
    assert fact.turn is not None
    assert not fact.turn.is_open
    assert qwen.translate(told("Notification", notification_type=note)) == ()


def test_that_it_rests_says_nothing_new_of_a_turn_that_has_failed() -> None:
    rests = told("Notification", notification_type="idle_prompt")
    fact = known(told("UserPromptSubmit", prompt="x"), told("StopFailure", error="rate_limit"), rests)
    assert fact.turn is not None
    assert (fact.turn.is_open, fact.turn.error) == (False, "rate_limit")
