"""The law: how a sub-agent ends, also where its stop was lost."""

from typing import Any

from support.builders import call, event
from support.cases import BASH, PROMPT, STOP, SUB, SUB2, WAITING, WORKING, judge, launched, stop
from watcher.clients.base import Meta
from watcher.rules.law import QUIET_S
from watcher.rules.turn_events import Activity, Call, Event, Failed, Interrupted, Message, Prompt, Result


def test_a_sub_agent_whose_stop_was_lost_ends_with_the_list_of_the_client_case_21() -> None:
    found = judge(PROMPT, (11, event("SubagentStart", **SUB)), STOP, now=30)
    assert (found["main"].status, found["a1"].rule) == (WAITING, "written-off")


def test_or_with_an_interruption_in_its_own_transcript_case_21() -> None:
    seen = (PROMPT, (11, call("PreToolUse", "ag", tool="Agent", given={})), (11.5, event("SubagentStart", **SUB)))
    lines: list[Event] = [Prompt(10, False), Result(15, "ag", "user"), Interrupted(15)]
    found = judge(*seen, now=30, lines=lines, sub_lines={"a1": [Prompt(11.4, True), Interrupted(15)]})
    assert (found["main"].status, found["a1"].rule) == (WAITING, "cut-off")


def test_or_with_the_call_that_waited_for_it_case_21() -> None:
    """A refusal may end the agent alone, in the foreground, and its own line of that may be late."""
    begun = (11, call("PreToolUse", "ag", tool="Agent", given={})), (11.5, event("SubagentStart", **SUB))
    runs = (12, call("PreToolUse", "t1", given=BASH, **SUB))
    seen = (PROMPT, *begun, runs, (15, call("PostToolUseFailure", "ag", tool="Agent", given={})))
    metas, busy = {"a1": Meta("Explore", "ag")}, ("busy", 15.01)
    found = judge(*seen, now=15.2, metas=metas, report=busy)
    assert (found["main"].status, found["a1"].rule, found["a1"].since) == (WORKING, "cut-off", 15)
    launch = (12.1, call("PostToolUse", "ag", tool="Agent", given={}, tool_response={"agentId": "a1"}))
    assert judge(PROMPT, *begun, runs, launch, now=15.2, metas=metas, report=busy)["a1"].status == WORKING
    batch = (12.1, event("PostToolBatch", tool_calls=[{"tool_use_id": "ag", "tool_name": "Agent", "tool_input": {}}]))
    found = judge(PROMPT, *begun, runs, batch, now=12.2, metas=metas, report=busy)
    assert found["a1"].status != WAITING, "its launch may be told a moment later"


def test_or_after_a_long_quiet_case_21() -> None:
    seen = (PROMPT, (11, event("SubagentStart", **SUB)), stop(13, ("a1", "subagent")))
    assert judge(*seen, now=13 + QUIET_S - 60)["a1"].status == WORKING
    found = judge(*seen, now=13 + QUIET_S + 60)
    assert (found["a1"].rule, found["main"].status) == ("quiet", WAITING)


def test_a_sub_agent_with_news_after_the_list_is_not_written_off() -> None:
    news = (22, call("PreToolUse", "s", given=BASH, **SUB))
    assert judge(PROMPT, (11, event("SubagentStart", **SUB)), STOP, news, now=30)["a1"].status == WORKING


def test_a_sub_agent_whose_last_request_failed_is_over() -> None:
    found = judge(*launched(SUB), (14.0, event("StopFailure", error="rate_limit", **SUB)), now=15)
    assert (found["a1"].status, found["a1"].detail) == (WAITING, "error: rate limit")


def test_a_sub_agent_whose_stop_was_lost_is_over_when_the_clients_note_says_so() -> None:
    seen = [*launched(SUB), (14.0, call("PreToolUse", "s", given=BASH, **SUB)), (15.0, call("PostToolUse", "s", **SUB))]
    report: dict[str, list[Event]] = {"a1": [Prompt(11.1, True), Activity(16.0), Message(16.0, "end_turn")]}
    over = {"a1": Meta("Explore", over=True)}
    found = judge(*seen, now=17, sub_lines=report, metas=over)["a1"]
    assert (found.status, found.until) == (WORKING, 18.0), "its own hook may be on its way"
    assert judge(*seen, now=18.1, sub_lines=report, metas=over)["a1"].rule == "recorded-end"
    assert judge(*seen, now=18.1, sub_lines=report, metas={"a1": Meta("Explore")})["a1"].status == WORKING
    woken = (17.5, event("SubagentStart", **SUB))
    assert judge(*seen, woken, now=30, sub_lines=report, metas=over)["a1"].status == WORKING
    inner = (14.5, event("SubagentStart", **SUB2))
    found = judge(*seen, inner, now=18.1, sub_lines=report, metas=over, parents={"a2": "a1"})["a1"]
    assert (found.status, found.rule) == (WORKING, "outlived"), "one of its own will wake it"


def test_a_sub_agent_that_failed_is_over_with_its_call_though_its_last_hook_was_lost() -> None:
    """The client notes no end of one that failed; in the foreground its parent has a result of it."""
    seen = [PROMPT, (11.0, event("SubagentStart", **SUB)), (12.0, call("PreToolUse", "t", given=BASH, **SUB))]
    lines: list[Event] = [Prompt(10, False), Call(10.9, "g", "Agent")]
    failed: dict[str, list[Event]] = {"a1": [Prompt(11, True), Result(14, "t", None), Failed(16, "rate limit")]}
    more: dict[str, Any] = {"sub_lines": failed, "metas": {"a1": Meta(call_id="g")}, "parents": {"a1": "main"}}
    assert judge(*seen, now=30, lines=lines, **more)["a1"].status == WORKING
    told = [*lines, Result(16.1, "g", None)]
    found = judge(*seen, now=17, lines=told, **more)["a1"]
    assert (found.status, found.until) == (WORKING, 18.0), "its hook may be on its way"
    found = judge(*seen, now=18.1, lines=told, **more)["a1"]
    assert (found.rule, found.detail) == ("broke-down", "error: rate limit")


def test_a_sub_agent_is_over_with_the_call_of_its_parent_though_that_has_stopped_and_its_own_hook_was_lost() -> None:
    """The transcript of one that has stopped is read no more; its hooks told when the call ended."""
    agent: dict[str, Any] = {"tool": "Agent", "given": {}}
    seen = [
        *launched(SUB), (13.0, call("PreToolUse", "g", **agent, **SUB)), (13.1, event("SubagentStart", **SUB2)),
        (15.1, call("PostToolUse", "g", **agent, **SUB)), (15.5, event("SubagentStop", **SUB)),
    ]  # fmt: skip
    more: dict[str, Any] = {"metas": {"a2": Meta(call_id="g", parent="a1")}, "parents": {"a2": "a1"}}
    said: dict[str, list[Event]] = {"a2": [Prompt(13.1, True), Activity(15.0), Message(15.0, "end_turn")]}
    later: dict[str, list[Event]] = {"a2": [Prompt(13.1, True), Activity(16.0), Message(16.0, "end_turn")]}
    assert judge(*seen, now=18, sub_lines=said, **more)["a2"].rule == "recorded-end"
    assert judge(*seen, now=18.5, sub_lines=later, **more)["a2"].status == WORKING, "it was only launched with it"


def test_a_sub_agent_that_is_not_listed_any_more_but_has_agents_of_its_own_is_woken_by_them() -> None:
    seen = [*launched(SUB), (14.0, event("SubagentStart", **SUB2)), stop(15.0)]
    found = judge(*seen, now=16, parents={"a2": "a1"})
    assert (found["a1"].status, found["a1"].rule) == (WORKING, "outlived")


def test_an_agent_whose_stop_was_lost_works_while_those_do_that_it_started() -> None:
    """The client's note says that it is over; it will be woken."""
    lines: list[Event] = [Prompt(11.2, True), Message(15.0, "end_turn")]
    seen = [*launched(SUB), (14.0, event("SubagentStart", **SUB2)), (14.5, call("PreToolUse", "b", given=BASH, **SUB2))]
    more: dict[str, Any] = {"parents": {"a2": "a1"}, "sub_lines": {"a1": lines}, "metas": {"a1": Meta(over=True)}}
    assert judge(*seen, now=20, **more)["a1"].rule == "outlived"
    ended = (18.0, event("SubagentStop", **SUB2))
    assert judge(*seen, ended, now=30, **more)["a1"].status == WAITING
