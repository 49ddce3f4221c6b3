"""The law: news that is due, of an agent that has stopped or was sent for."""

from support.builders import ask, call, event
from support.cases import BASH, PRE, PROMPT, SUB, SUB2, WAITING, WORKING, judge, launched, stop, verdict
from watcher.rules.evidence import Mates
from watcher.rules.turn_events import Call, Ended, Event, Interrupted, Local, Prompt, Refused, Result


def test_from_the_end_of_the_last_sub_agent_to_the_news_of_it_there_is_no_gap_case_14() -> None:
    seen = [*launched(SUB), (20, event("SubagentStop", **SUB))]
    assert verdict(*seen, now=20.5)[0] == WORKING
    assert verdict(*seen, now=20.5, report=("busy", 10.1))[0] == WORKING
    assert verdict(*seen, now=29, report=("busy", 10.1))[0] == WORKING, "the process itself says so"
    assert verdict(*seen, now=20.5, report=("idle", 20.2))[0] == WORKING, (
        "it says so for a moment, before it wakes main"
    )
    assert verdict(*seen, now=22, report=("idle", 20.2))[0] == WAITING
    assert verdict(*seen, now=29)[0] == WAITING, "without the registry the guess is short"


def test_two_that_end_together_are_told_one_after_the_other_case_14() -> None:
    seen = [*launched(SUB, SUB2), (20, event("SubagentStop", **SUB)), (20.1, event("SubagentStop", **SUB2))]
    wake = "<task-notification>\n<task-id>a1</task-id>"
    seen.append((20.3, event("UserPromptSubmit", prompt=wake, prompt_id="q")))
    seen.append((20.5, event("Stop", prompt_id="q", background_tasks=[])))
    assert verdict(*seen, now=20.6)[0] == WORKING, "of the second it has not been told yet"
    seen.append((20.7, event("UserPromptSubmit", prompt=wake.replace("a1", "a2"), prompt_id="r")))
    seen.append((20.9, event("Stop", prompt_id="r", background_tasks=[])))
    assert verdict(*seen, now=21)[0] == WAITING


def test_a_sub_agent_in_the_foreground_leaves_no_news_behind() -> None:
    seen = (PROMPT, (11, call("PreToolUse", "ag", tool="Agent", given={})), (11.5, event("SubagentStart", **SUB)))
    answer = (15.1, call("PostToolUse", "ag", tool="Agent", given={}, tool_response={"agentId": "a1"}))
    assert verdict(*seen, (15, event("SubagentStop", **SUB)), answer, (16, event("Stop")), now=16.1)[0] == WAITING


def test_news_of_a_sub_agent_that_ended_in_mid_turn_is_due_after_the_turn() -> None:
    sub = [
        (11.0, event("SubagentStart", **SUB)),
        (11.1, call("PostToolUse", "g", tool="Agent", given={}, tool_response={"agentId": "a1"})),
    ]
    seen = [PROMPT, *sub, PRE, (11.2, ask(BASH)), (12.0, event("SubagentStop", **SUB))]
    lines: list[Event] = [Interrupted(30.0)]
    dialog = ("waiting", 13.0, "permission prompt")
    assert judge(*seen, now=30.1, lines=lines, report=dialog)["main"].rule == "news-is-due"
    assert judge(*seen, now=34, lines=lines)["main"].status == WAITING
    told = (30.5, event("UserPromptSubmit", prompt="<task-notification><task-id>a1</task-id>", prompt_id="q"))
    ended = (31.0, event("Stop", prompt_id="q", background_tasks=[]))
    assert judge(*seen, told, ended, now=31.5, lines=lines)["main"].status == WAITING, "it has been told"


def test_a_sub_agent_that_is_about_to_hear_of_its_own_sub_agent_keeps_the_session_working() -> None:
    seen = [*launched(SUB, SUB2), (15.0, event("SubagentStop", **SUB)), (18.0, event("SubagentStop", **SUB2))]
    parents = {"a1": "main", "a2": "a1"}
    found = judge(*seen, now=18.5, parents=parents)
    assert (found["main"].status, found["a1"].detail) == (WORKING, "reading its agents' results")
    assert judge(*seen, now=22, parents=parents)["a1"].detail == "finished", "it has not come"


def test_a_prompt_that_a_hook_refuses_leaves_a_teammates_message_in_the_inbox() -> None:
    seen, mates = [PROMPT, (12.0, event("Stop", background_tasks=[]))], Mates(all=1, idle_at=20.0)
    again = (20.1, event("UserPromptSubmit", prompt="x", prompt_id="2"))
    lines: list[Event] = [Prompt(10, False), Ended(12.0)]
    refused = [*lines, Refused(20.2)]
    assert judge(*seen, now=20.5, lines=lines, mates=mates)["main"].rule == "news-is-due"
    assert judge(*seen, again, now=20.5, lines=refused, mates=mates)["main"].rule == "news-is-due"
    assert judge(*seen, again, now=25.1, lines=refused, mates=mates)["main"].status == WAITING
    read = [*lines, Prompt(20.1, False), Ended(20.3), Refused(20.4)]
    assert judge(*seen, again, now=20.5, lines=read, mates=mates)["main"].status == WAITING, "a turn has read it before"


def test_a_turn_before_a_teammate_tells_that_it_is_idle_has_not_read_its_message() -> None:
    """In its lead's own process it stops, tells that it is idle, and then sends the message."""
    mate = {"agent_id": "amia-1", "agent_type": "mia"}
    seen = [PROMPT, (11.0, event("SubagentStart", **mate)), (12.0, event("Stop", background_tasks=[]))]
    seen += [(20.0, event("SubagentStop", **mate))]
    seen += [(20.1, event("UserPromptSubmit", prompt="<task-notification>\n<task-id>b1</task-id>", prompt_id="q"))]
    seen += [(20.4, event("Stop", prompt_id="q", background_tasks=[]))]
    idle = (20.6, event("TeammateIdle", teammate_name="mia", team_name="t", **mate))
    lines: list[Event] = [Prompt(10, False), Ended(12.0), Prompt(20.15, True), Ended(20.4)]
    found = judge(*seen, idle, now=20.7, lines=lines, report=("idle", 20.5))["main"]
    assert (found.status, found.rule) == (WORKING, "news-is-due")
    read = [*lines, Prompt(21.4, True), Ended(21.6)]
    assert judge(*seen, idle, now=22, lines=read, report=("idle", 21.6))["main"].status == WAITING


def test_nobody_hears_of_an_agents_end_during_a_compaction() -> None:
    seen = [*launched(SUB), (15.0, event("PreCompact", trigger="manual")), (16.0, event("SubagentStop", **SUB))]
    done = (25.0, event("SessionStart", source="compact"))
    assert judge(*seen, now=24.9)["main"].rule == "compacting"
    assert judge(*seen, done, now=25.2)["main"].rule == "news-is-due"
    assert judge(*seen, done, now=28.1)["main"].status == WAITING


def test_an_agent_that_was_started_just_before_an_interruption_is_awaited() -> None:
    """Its start is told a moment later; a call that the interruption ends is refused in the transcript."""
    seen, begun = (
        (PROMPT, (12.0, call("PreToolUse", "t", tool="Agent"))),
        [Prompt(10, False), Call(11.9, "t", "Agent")],
    )
    assert verdict(*seen, now=12.2, lines=[*begun, Interrupted(12.1)]) == (WORKING, "reading its agents' results")
    assert verdict(*seen, now=13.2, lines=[*begun, Interrupted(12.1)]) == (WAITING, "interrupted")
    refused = [*begun, Result(12.1, "t", "user"), Interrupted(12.1)]
    assert verdict(*seen, now=12.2, lines=refused) == (WAITING, "interrupted")
    batch = (12.15, event("PostToolBatch", tool_calls=[{"tool_use_id": "t", "tool_name": "Agent", "tool_input": {}}]))
    assert verdict(*seen, batch, now=12.2, lines=[*begun, Interrupted(12.1)])[0] == WORKING, "it names no agent"
    started = (12.0, event("SubagentStart", **SUB)), (12.05, event("SubagentStop", **SUB))
    assert verdict(*seen, *started, batch, now=12.2, lines=[*begun, Interrupted(12.1)])[0] == WAITING


def test_an_agent_that_was_sent_for_is_awaited_though_its_start_is_told_late() -> None:
    """By whoever sent for it, and has nothing else to do."""
    made = (12.0, call("PostToolUse", "g", tool="Agent", given={}, tool_response={"agentId": "a1"}))
    assert verdict(PROMPT, made, stop(12.2), now=12.5) == (WORKING, "reading its agents' results")
    assert verdict(PROMPT, made, stop(12.2), now=13.1)[0] == WAITING
    in_front = (12.0, call("PostToolUse", "g", tool="Agent", given={}, tool_response={"content": "done"}))
    assert verdict(PROMPT, in_front, stop(12.2), now=12.5)[0] == WAITING
    inner = (14.0, call("PostToolUse", "h", tool="Agent", given={}, tool_response={"agentId": "a2"}, **SUB))
    seen = [*launched(SUB), inner, (14.1, event("SubagentStop", **SUB))]
    assert (found := judge(*seen, now=14.5)["a1"]).status == WORKING
    assert found.until == 15.0
    assert judge(*seen, now=15.1)["a1"].detail == "finished"
    listed = {"background_tasks": [{"id": name, "type": "subagent", "status": "running"} for name in ("a1", "a2")]}
    late = [*launched(SUB), (14.1, event("SubagentStop", **SUB, **listed))]
    assert judge(*late, now=14.5)["a1"].status == WORKING, "its call is told even later"
    begun = [*seen, (14.9, event("SubagentStart", **SUB2))]
    assert judge(*begun, now=16, parents={"a2": "a1"})["a1"].rule == "outlived"


def test_news_of_a_sub_agent_that_stopped_during_a_compaction_come_after_it_case_31() -> None:
    seen = [*launched(SUB), (14.0, event("PreCompact", trigger="manual")), (15.0, event("SubagentStop", **SUB))]
    done = [*seen, (40.0, event("SessionStart", source="compact")), (40.1, event("PostCompact", trigger="manual"))]
    assert verdict(*seen, now=40) == (WORKING, "compacting")
    assert verdict(*done, now=40.5) == (WORKING, "reading its agents' results")
    assert verdict(*done, now=44)[0] == WAITING, "the guess is bounded"
    refused: list[Event] = [Prompt(10, False), Ended(13), Local(40)]
    assert verdict(*seen, now=40.5, lines=refused) == (WORKING, "reading its agents' results")
    assert verdict(*seen, now=44, lines=refused)[0] == WAITING


def test_an_agent_that_was_launched_before_its_session_was_resumed_is_not_expected_any_more() -> None:
    spawned = call("PostToolUse", "s", tool="Agent", given={"description": "d"}, tool_response={"agentId": "a1"})
    seen = [PROMPT, (13.0, spawned), (13.2, event("Stop"))]
    assert judge(*seen, now=13.6)["main"].rule == "news-is-due", "its start may not be recorded yet"
    resumed = (13.5, event("SessionStart", source="resume"))
    assert judge(*seen, resumed, now=13.6)["main"].status == WAITING
