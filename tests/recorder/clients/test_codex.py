"""Codex's events in our words: what asks has no id, and of an answer nothing is told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from contract.clients.codex import EVENTS
from contract.facts import Stamp
from recorder import changes
from recorder.clients import codex

if TYPE_CHECKING:
    from contract.facts import Fact

ONE, TWO = {"command": "npm test"}, {"command": "npm run build"}
WHY = {"description": "Do you want to run it?"}


def told(name: str, **more: Any) -> dict[str, Any]:
    return {"session_id": "s1", "cwd": "/home/me/proj", "hook_event_name": name, "turn_id": "t1", **more}


def shell(name: str, given: dict[str, str], **more: Any) -> dict[str, Any]:
    return told(name, tool_name="Bash", tool_input=given, **more)


def known(*events: dict[str, Any]) -> Fact:
    fact: Fact | None = None
    for time, one in enumerate(events, 1000):
        for change in codex.translate(one):
            fact = changes.record(fact, change, Stamp((time, time))) or fact
    assert fact is not None
    return fact


def asked(fact: Fact) -> list[str]:
    return [call.target for call in (*fact.calls.values(), *fact.asks) if call.asked]


def test_every_event_we_register_is_understood_and_no_other() -> None:
    assert set(codex.EVENTS) == set(EVENTS)
    with pytest.raises(ValueError, match="none we listen to"):
        codex.translate(told("Notification"))


def test_a_session_starts_with_a_prompt() -> None:
    fact = known(told("SessionStart", source="resume"))
    assert fact.turn is not None
    assert fact.turn.is_open
    assert (fact.source, fact.cwd) == ("resume", "/home/me/proj")


def test_what_asks_is_the_call_with_the_same_input_and_a_reason_does_not_count() -> None:
    calls = shell("PreToolUse", ONE, tool_use_id="a"), shell("PreToolUse", TWO, tool_use_id="b")
    fact = known(*calls, shell("PermissionRequest", {**ONE, **WHY}))
    assert (asked(fact), fact.asks) == (["npm test"], [])
    fact = known(*calls, shell("PermissionRequest", {**ONE, **WHY}), shell("PostToolUse", ONE, tool_use_id="a"))
    assert asked(fact) == []


def test_a_question_is_a_call_that_asks_by_its_name() -> None:
    fact = known(told("PreToolUse", tool_name="request_user_input", tool_input={"questions": []}, tool_use_id="q"))
    assert fact.calls["q"].name == "AskUserQuestion"


@pytest.mark.parametrize("end", ["Interrupt", "Stop"])
def test_every_end_of_a_turn_ends_what_it_asks_for(end: str) -> None:
    fact = known(
        told("UserPromptSubmit"),
        shell("PreToolUse", ONE, tool_use_id="a"),
        shell("PermissionRequest", {**ONE, **WHY}),
        told(end),
    )
    assert fact.turn is not None
    assert not fact.turn.is_open
    assert asked(fact) == []


def test_a_compaction_is_a_turn_without_a_prompt() -> None:
    assert known(told("PreCompact", trigger="manual")).compacting
    assert not known(told("PreCompact", trigger="manual"), told("PostCompact", trigger="manual")).compacting


def test_an_agent_that_was_started_is_known_by_its_id_and_wakes_nobody() -> None:
    answer = '{"agent_id":"kid-1","nickname":"Harvey"}'
    given = {"message": "play", "agent_type": "worker"}
    (spawn,) = known(
        told("PostToolUse", tool_name="spawn_agent", tool_input=given, tool_use_id="a", tool_response=answer)
    ).spawned
    assert (spawn.id, spawn.type, spawn.quiet) == ("kid-1", "worker", True)


@pytest.mark.parametrize("answer", [None, 7, "", "{", "no", {"agent_id": "x"}, '{"agent_id":7}', "x" * 100_000])
def test_an_answer_that_names_no_agent_starts_none(answer: Any) -> None:
    ended = told("PostToolUse", tool_name="spawn_agent", tool_input=None, tool_use_id="a", tool_response=answer)
    assert known(ended).spawned == []


def test_a_sub_agent_is_started_by_its_prompt_and_stopped_by_an_interruption() -> None:
    kid = {"agent_id": "kid-1", "agent_type": "worker"}
    fact = known(told("SubagentStart", **kid), told("SubagentStop", **kid), told("UserPromptSubmit", **kid))
    assert (fact.agent, fact.type, fact.stopped) == ("kid-1", "worker", None)
    assert known(told("SubagentStart", **kid), told("Interrupt", **kid)).stopped


@pytest.mark.parametrize("name", ["SubagentStart", "SubagentStop"])
def test_what_is_told_of_no_sub_agent_is_not_taken_for_main(name: str) -> None:
    with pytest.raises(ValueError, match="no sub-agent"):
        codex.translate(told(name))


@pytest.mark.parametrize("odd", [None, 7, [], {}, "x" * 100_000, {"a": {"b": [1]}}])
def test_odd_values_do_no_harm(odd: Any) -> None:
    for name in EVENTS:
        payload = dict.fromkeys(told(name), odd) | {"hook_event_name": name, "agent_id": "kid", "tool_input": odd}
        (change,) = codex.translate({**payload, "tool_name": odd, "source": odd, "trigger": odd, "reason": odd})
        fact = changes.record(None, change, Stamp((1.0, 1.0)))
        assert fact is not None
        assert fact.agent == "kid"


def test_an_interruption_is_final_and_a_stop_may_be_taken_back() -> None:
    for end, is_final in (("Interrupt", True), ("Stop", False)):
        fact = known(told("UserPromptSubmit", prompt="x"), told(end))
        assert fact.turn is not None
        assert (fact.turn.is_open, fact.turn.final) == (False, is_final)
