"""Gemini CLI's events in our words: calls without ids, found again by tool and input."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from contract.clients.gemini import EVENTS
from contract.facts import Stamp
from recorder import changes
from recorder.clients import gemini

if TYPE_CHECKING:
    from contract.facts import Fact

ONE, TWO = {"command": "npm test", "description": "test"}, {"command": "npm run build", "description": "build"}
FILE = {"file_path": "/home/me/proj/new.txt", "content": "hi\n"}


def told(name: str, **more: Any) -> dict[str, Any]:
    return {"session_id": "s1", "cwd": "/home/me/proj", "hook_event_name": name, **more}


def shell(name: str, given: dict[str, str]) -> dict[str, Any]:
    return told(name, tool_name="run_shell_command", tool_input=given)


def asks(kind: str, title: str = "", **more: Any) -> dict[str, Any]:
    return told("Notification", notification_type="ToolPermission", details={"type": kind, "title": title, **more})


def asks_for(given: dict[str, str]) -> dict[str, Any]:
    return asks("exec", "Confirm Shell Command", command=given["command"], rootCommand="npm")


def known(*events: dict[str, Any]) -> Fact:
    fact: Fact | None = None
    for time, one in enumerate(events, start=1000):
        for change in gemini.translate({"timestamp": f"at {time}", **one}):
            fact = changes.record(fact, change, Stamp((time, time))) or fact
    assert fact is not None
    return fact


def asked(fact: Fact) -> list[str]:
    return [f"{call.name}: {call.target}" for call in (*fact.calls.values(), *fact.asks) if call.asked]


def running(fact: Fact) -> list[str]:
    return [call.target for call in fact.calls.values()]


def test_every_event_we_register_is_understood_and_no_other() -> None:
    assert set(gemini.EVENTS) == set(EVENTS)
    with pytest.raises(ValueError, match="none we listen to"):
        gemini.translate(told("PreCompress"))


def test_a_request_belongs_to_the_call_of_its_command() -> None:
    fact = known(told("BeforeAgent"), shell("BeforeTool", ONE), shell("BeforeTool", TWO), asks_for(ONE))
    assert (asked(fact), fact.asks) == (["Bash: npm test"], [])


def test_the_end_of_a_call_ends_its_request_and_no_other() -> None:
    begun = (shell("BeforeTool", ONE), shell("BeforeTool", TWO), asks_for(TWO), asks_for(ONE))
    fact = known(told("BeforeAgent"), *begun, shell("AfterTool", ONE))
    assert (asked(fact), running(fact)) == (["Bash: npm run build"], ["npm run build"])


def test_of_two_equal_calls_each_end_ends_one() -> None:
    twice = (shell("BeforeTool", ONE), shell("BeforeTool", ONE), shell("AfterTool", ONE))
    assert running(known(told("BeforeAgent"), *twice)) == ["npm test"]
    assert running(known(told("BeforeAgent"), *twice, shell("AfterTool", ONE))) == []


def test_an_event_that_two_hook_entries_tell_of_is_one() -> None:
    first, second = ({**shell("BeforeTool", ONE), "timestamp": f"2026-11-16T09:19:59.{ms}Z"} for ms in (559, 560))
    fact = known(told("BeforeAgent"), first, first, asks_for(ONE))
    assert (running(fact), asked(fact)) == (["npm test"], ["Bash: npm test"])
    assert running(known(told("BeforeAgent"), first, second, second)) == ["npm test", "npm test"]


def test_two_sub_agents_that_begin_at_the_same_moment_are_two() -> None:
    given = [{"agent_name": "generalist", "prompt": word} for word in ("one", "two")]
    both = [{**told("BeforeTool", tool_name="invoke_agent", tool_input=one), "timestamp": "now"} for one in given]
    ends = told("AfterTool", tool_name="invoke_agent", tool_input=given[1], tool_response={"llmContent": "x"})
    fact = known(told("BeforeAgent"), *both)
    assert [call.name for call in fact.calls.values()] == ["Agent", "Agent"]
    left = known(told("BeforeAgent"), *both, ends)
    assert [call.digest for call in left.calls.values()] == [next(iter(fact.calls.values())).digest]


def test_the_same_command_can_be_asked_for_again() -> None:
    once = (shell("BeforeTool", ONE), asks_for(ONE), shell("AfterTool", ONE))
    assert asked(known(told("BeforeAgent"), *once, *once[:2])) == ["Bash: npm test"]


def test_a_call_whose_input_a_hook_has_changed_ends_all_the_same() -> None:
    changed = (shell("BeforeTool", ONE), asks_for(TWO), shell("AfterTool", TWO))
    assert asked(known(told("BeforeAgent"), *changed[:2])) == ["Bash: npm test"]
    assert running(known(told("BeforeAgent"), *changed)) == []


@pytest.mark.parametrize(
    ("tool", "given", "request_", "words"),
    [
        ("write_file", FILE, asks("edit", "Confirm Write: new.txt", filePath=FILE["file_path"]), "Write: new.txt"),
        ("replace", FILE, asks("edit", "Confirm Edit: new.txt", filePath=FILE["file_path"]), "Edit: new.txt"),
        ("web_fetch", {"prompt": "x"}, asks("info", "Confirm Web Fetch", urls=["http://x"]), "WebFetch: "),
        ("mcp_box_put", {"a": 1}, asks("mcp", "Confirm MCP", serverName="box", toolName="put"), "mcp_box_put: "),
        ("mcp_b_x_put", {"a": 1}, asks("mcp", "Confirm MCP", serverName="b x", toolName="put"), "mcp_b_x_put: "),
        ("save_memory", {"fact": "x"}, asks("info", "Confirm: Memory", prompt="x"), "save_memory: "),
        ("ask_user", {"questions": []}, asks("ask_user", "Ask User"), "AskUserQuestion: "),
        ("exit_plan_mode", {"plan_filename": "x"}, asks("exit_plan_mode", "Plan Approval"), "ExitPlanMode: "),
        ("run_shell_command", ONE, asks("sandbox_expansion", "Sandbox Expansion Request"), "Bash: npm test"),
    ],
)
def test_whatever_it_asks_for_the_call_is_found(
    tool: str, given: dict[str, Any], request_: dict[str, Any], words: str
) -> None:
    begins = told("BeforeTool", tool_name=tool, tool_input=given)
    ends = told("AfterTool", tool_name=tool, tool_input=given, tool_response={"llmContent": "x"})
    beside = told("BeforeTool", tool_name="read_file", tool_input={"file_path": "/home/me/proj/a"})
    events = [told("BeforeAgent"), begins, request_]
    assert asked(known(*events)) == [words]
    fact = known(*events, beside, ends)
    assert (asked(fact), running(fact)) == ([], ["a"])


def test_a_request_without_a_call_is_kept_too() -> None:
    assert asked(known(told("BeforeAgent"), asks_for(ONE))) == ["Bash: npm test"]
    assert asked(known(told("BeforeAgent"), asks_for(ONE), shell("AfterTool", ONE))) == []


def test_other_notifications_say_nothing() -> None:
    assert gemini.translate(told("Notification", notification_type="Other", details={"type": "exec"})) == ()


def test_a_new_prompt_ends_what_was_rejected() -> None:
    fact = known(told("BeforeAgent"), shell("BeforeTool", ONE), asks_for(ONE), told("BeforeAgent", timestamp="later"))
    assert (fact.calls, fact.turn is not None and fact.turn.is_open) == ({}, True)


@pytest.mark.parametrize("name", sorted(EVENTS))
@pytest.mark.parametrize(
    "junk", [None, 7, [], {}, "x", [7], [[]], {"a": []}, {"type": "mcp"}, {"type": [], "title": 7}]
)
def test_fields_of_the_wrong_type_break_nothing(name: str, junk: Any) -> None:
    keys = ("cwd", "transcript_path", "timestamp", "source", "prompt", "tool_name", "tool_input", "details", "reason")
    odd = {**told(name, notification_type="ToolPermission"), **dict.fromkeys(keys, junk)}
    assert known(told("BeforeAgent"), odd, told("AfterAgent")).turn is not None
