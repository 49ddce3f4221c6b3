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


def test_of_several_requests_the_first_call_that_runs_says_that_all_are_answered() -> None:
    """As it runs none of them before."""
    fact = known(
        shell("PermissionRequest", ONE), shell("PermissionRequest", TWO), shell("PreToolUse", ONE, tool_use_id="a")
    )
    assert asked(fact) == []
    fact = known(
        shell("PermissionRequest", ONE), shell("PermissionRequest", ONE), shell("PreToolUse", ONE, tool_use_id="a")
    )
    assert asked(fact) == []


def test_beside_several_sub_agents_a_call_that_runs_answers_its_own_request_only() -> None:
    """They ask as if the main agent did."""
    agents = [told("PreToolUse", tool_name="agent", tool_input={"prompt": n}, tool_use_id=n) for n in "xy"]
    asks = shell("PermissionRequest", ONE), shell("PermissionRequest", TWO)
    fact = known(*agents, *asks, shell("PreToolUse", TWO, tool_use_id="b"))
    assert asked(fact) == ["npm test"]
    fact = known(agents[0], *asks, shell("PreToolUse", TWO, tool_use_id="b"))
    assert asked(fact) == []


def test_the_same_command_is_asked_for_again_right_after_it_has_run() -> None:
    ran = shell("PreToolUse", ONE, tool_use_id="a"), shell("PostToolUse", ONE, tool_use_id="a")
    fact = known(shell("PermissionRequest", ONE), *ran, shell("PermissionRequest", ONE))
    assert asked(fact) == ["npm test"]


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


def said(name: str, at: str, **more: Any) -> dict[str, Any]:
    return told(name, **more, timestamp=f"2026-11-16T09:48:{at}Z")


RESTS = {"notification_type": "idle_prompt"}


@pytest.mark.parametrize(
    ("rests_at", "is_open"), [("01.900", True), ("02.100", False), ("32.000", False)], ids=["late", "now", "clock set"]
)
def test_a_rest_that_was_said_before_the_next_prompt_ends_nothing(rests_at: str, is_open: bool) -> None:
    """The client does not wait for the hook: a prompt that was queued may be told before it."""
    prompts = (
        said("UserPromptSubmit", "00.000", prompt="x"),
        told("Stop"),
        said("UserPromptSubmit", "02.000", prompt="y"),
    )
    fact = known(*prompts, said("Notification", rests_at, **RESTS), at=[60.0, 61.0, 62.05, 62.2])
    assert fact.turn is not None
    assert fact.turn.is_open is is_open


def test_a_rest_ends_the_sub_agents_that_were_interrupted() -> None:
    """Nothing else tells of their end; of one that comes late, only those that began before the next prompt."""
    fact = known(told("UserPromptSubmit", prompt="x"), told("Notification", **RESTS))
    assert (fact.background, fact.listed) == ([], Stamp((1001.0, 1001.0)))
    late = said("UserPromptSubmit", "02.000", prompt="y"), said("Notification", "01.900", **RESTS)
    fact = known(*late, at=[62.05, 62.2])
    assert fact.listed == Stamp((62.05, 62.05))


def test_a_rest_without_a_time_ends_the_turn() -> None:
    rests = {**told("Notification", **RESTS), "timestamp": None}
    fact = known(told("UserPromptSubmit", prompt="x"), rests)
    assert fact.turn is not None
    assert not fact.turn.is_open
