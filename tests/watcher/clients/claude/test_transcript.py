"""What a line of a transcript tells."""

from __future__ import annotations

import json
import time
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.transcript_lines import (
    NOON,
    TRANSCRIPTS,
    assistant,
    calls,
    interrupt,
    last_word,
    line,
    prompt,
    recorded,
    result,
    system,
    text_block,
    user,
)
from watcher.clients.claude import transcript
from watcher.clients.claude.transcript import gist, opens_turn, parse
from watcher.rules.turn import (
    Aborted,
    Activity,
    Call,
    Compacted,
    Continued,
    Ended,
    Failed,
    Finished,
    Hooked,
    Interrupted,
    Killed,
    Local,
    Prompt,
    Queued,
    Refused,
    Result,
    Said,
    Started,
)

ONE_CALL = "Prompt Activity Said Call Said"
ANSWER = "Activity Said Ended"
BOTH_ENDS = "Activity Said Ended Ended"  # a Stop hook is set up: its summary comes before the end
STORIES = {
    "api_error": "Prompt Failed Ended",
    "approved": f"{ONE_CALL} Result {BOTH_ENDS}",
    "approved_and_switched_to_auto": ONE_CALL,
    "approved_with_a_remark_in_2_1_197": f"Prompt Call Said Result {ANSWER}",
    "auto_mode_opens_a_dialog": ONE_CALL,
    "background_shell_wakes_the_agent": f"{ONE_CALL} Result Started {BOTH_ENDS} "
    f"Finished Finished Prompt:machine {BOTH_ENDS}",
    "cleared": f"Local Local Prompt {BOTH_ENDS}",
    "compacted": f"Prompt {BOTH_ENDS} Compacted Local",
    "compacted_in_mid_turn": f"Prompt Call Said Result Call Said Result Compacted:auto {ANSWER}",
    "denied_by_a_rule_in_print_mode": "Queued:waits Prompt Call Said Result:auto Activity Said",
    "denied_in_print_mode": "Queued:waits Prompt Call Said Result:auto Activity Said",
    "interrupted_before_any_output": "Prompt",
    "interrupted_while_a_tool_runs": f"{ONE_CALL} Result:user Interrupted",
    "interrupted_while_text_streams": "Prompt Aborted Interrupted",
    "interrupted_with_a_prompt_queued": f"Prompt Queued:waits Aborted Interrupted Prompt {ANSWER}",
    "killed_in_mid_tool": ONE_CALL,
    "killed_resumed_and_asked_again": f"Prompt Call Said Result:lost Prompt {ANSWER}",
    "lead_of_a_teammate": f"{ONE_CALL} Result Activity Said Call Said Result Activity Said Call Said Result "
    f"{ANSWER} Prompt:machine {ANSWER}",
    "local_commands": f"Prompt {ANSWER} Prompt Continued {ANSWER} Local Local",
    "local_commands_in_2_1_197": f"Local Local {ANSWER} Prompt Continued {ANSWER} Local Local",
    "plan_dismissed": f"{ONE_CALL} Result Activity Said Call Said Result:user Interrupted Ended",
    "prompt_queued_for_the_next_turn": f"Prompt Queued:waits {ANSWER} Prompt {ANSWER}",
    "prompt_queued_in_mid_turn": f"{ONE_CALL} Queued:waits Result Queued {BOTH_ENDS}",
    "question_answered": f"{ONE_CALL} Result {BOTH_ENDS}",
    "rate_limited": "Prompt Failed Ended Prompt Failed Ended",
    "rejected": f"{ONE_CALL} Result:user Interrupted Ended",
    "rejected_with_feedback": f"Prompt Call Said Result:user {ANSWER}",
    "resumed": f"Prompt {BOTH_ENDS} Compacted Local",
    "schedule_wakes_the_agent": "Prompt Call Said Result Call Said Result "
    f"{ANSWER} Queued:waits Prompt:machine {ANSWER}",
    "schedule_wakes_the_agent_in_2_1_197": "Call Said Result Prompt Call Said Result "
    f"{ANSWER} Queued:waits Prompt:machine {ANSWER}",
    "stop_hook_sends_it_back": "Prompt Activity Said Continued Hooked Activity Said Hooked Ended",
    "sub_agent_interrupted_in_2_1_197": "Prompt Call Said Result:user Interrupted",
    "sub_agent_rejected": f"Prompt Call Said Result Started {ANSWER} Finished Finished Prompt:machine {ANSWER}",
    "sub_agents_in_the_background": f"{ONE_CALL} Call Said Result Started Result Started {BOTH_ENDS} "
    f"Finished Finished Prompt:machine {BOTH_ENDS} Finished Finished Prompt:machine {BOTH_ENDS}",
    "sub_agents_stopped_by_the_user": "Prompt Call Said Result Started Call Said Result:user Interrupted "
    f"Queued:waits Killed Prompt:machine {ANSWER}",
    "teammate_in_a_pane": f"Prompt:machine Activity Said Call Said Result {BOTH_ENDS}",
    "two_calls_rejected_at_once": "Prompt Call Said Call Said Result:user Result:user Interrupted Ended",
}


def told(lines: list[bytes], *, sidechain: bool = False) -> str:
    """The events of these lines in one row, with what sets one apart."""
    return " ".join(named(event) for one in lines for event in parse(one, sidechain=sidechain))


def named(event: Any) -> str:
    marks = [getattr(event, "denied", None), *(m for m in ("machine", "auto", "waits") if getattr(event, m, False))]
    return ":".join([type(event).__name__, *filter(None, marks)])


@pytest.mark.parametrize("name", sorted(STORIES))
def test_a_recorded_transcript_tells_its_story(name: str) -> None:
    assert told(recorded(name)) == STORIES[name]


def test_every_recorded_transcript_has_its_story_here() -> None:
    assert {path.stem for path in TRANSCRIPTS.glob("*.jsonl")} == set(STORIES)


@pytest.mark.parametrize(
    ("path", "story"),
    [
        ("sub_agents_in_the_background/subagents/agent-a5fcb0dc687776b20", "Prompt:machine Activity Said"),
        (
            "sub_agents_in_the_background/subagents/agent-aa5fb3115e8bd99c2",
            "Prompt:machine Activity Said Call Said Result Activity Said",
        ),
        (
            "sub_agent_rejected/subagents/agent-a9d3cd3668d666cb1",
            "Prompt:machine Call Said Result:user Activity Said",
        ),
        (
            "sub_agents_stopped_by_the_user/subagents/agent-afcf33d5127bd1052",
            "Prompt:machine Call Said Result:user Interrupted",
        ),
    ],
)
def test_a_sub_agents_transcript_tells_its_own_story_and_nothing_of_the_main_agent(path: str, story: str) -> None:
    assert told(recorded(path), sidechain=True) == story
    assert told(recorded(path)) == ""


def test_an_event_has_the_wall_clock_time_of_its_line() -> None:
    assert parse(last_word(at=1.25)) == (Activity(NOON + 1.25), Said(NOON + 1.25, "end_turn"))


def test_a_time_without_a_zone_is_utc_wherever_we_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Pacific/Kiritimati")
    time.tzset()
    try:
        assert parse(last_word().replace(b'000Z"', b'000"'))[0] == Activity(NOON)
    finally:
        monkeypatch.undo()
        time.tzset()


def test_a_prompt_has_its_id() -> None:
    assert parse(prompt(at=1)) == (Prompt(NOON + 1, "p1", machine=False),)


def test_a_line_with_spaces_after_the_colons_reads_the_same() -> None:
    spaced = json.dumps(json.loads(prompt())).encode()
    assert b'"type": "user"' in spaced
    assert parse(spaced) == parse(prompt()) != ()


def test_a_message_with_two_calls_begins_both() -> None:
    both = [{"type": "tool_use", "id": f"t{n}", "name": "Read", "input": {}} for n in (1, 2)]
    assert parse(assistant(*both, at=2)) == (Call(NOON + 2, "t1", "Read"), Call(NOON + 2, "t2", "Read"))


@pytest.mark.parametrize("text", ["[Request interrupted by user]", "[Request interrupted by user for tool use]"])
def test_an_interruption_is_a_whole_text_block(text: str) -> None:
    assert parse(interrupt(text=text)) == (Interrupted(NOON),)


@pytest.mark.parametrize(
    "quoting",
    [
        last_word("[Request interrupted by user]"),
        assistant(text_block("[Request interrupted by user]")),
        user([{"type": "tool_result", "tool_use_id": "t", "content": "[Request interrupted by user]"}]),
        user([{"type": "tool_result", "tool_use_id": "t", "content": [text_block("[Request interrupted by user]")]}]),
        interrupt(text="what does [Request interrupted by user] mean?"),
        interrupt(text=" [Request interrupted by user]"),
        prompt("[Request interrupted by user]"),
        prompt([text_block("[Request interrupted by user]")]),
        user("[Request interrupted by user]"),
        user([{"type": "document", "text": "[Request interrupted by user]"}]),
        line("last-prompt", lastPrompt="[Request interrupted by user]"),
        system("informational", content="[Request interrupted by user]"),
    ],
)
def test_quoted_interrupt_texts_interrupt_nothing(quoting: bytes) -> None:
    assert not any(isinstance(event, Interrupted) for event in parse(quoting))


@pytest.mark.parametrize(
    "text",
    [
        "<command-name>/cost</command-name>\n<command-message>cost</command-message>",
        "<local-command-stdout>Total cost: $0.01</local-command-stdout>",
        "<local-command-caveat>The command below was run directly</local-command-caveat>",
        "<bash-input>ls</bash-input>",
        "<bash-stdout>a b</bash-stdout><bash-stderr></bash-stderr>",
    ],
)
def test_a_local_command_opens_no_turn(text: str) -> None:
    assert parse(user(text)) == ()


def test_a_shell_command_that_the_model_answers_opens_a_turn() -> None:
    assert parse(user("<bash-stdout>a</bash-stdout>", turnOrigin="human")) == (Prompt(NOON, "", machine=False),)


def test_a_users_own_command_opens_a_turn_in_an_older_client_too() -> None:
    assert parse(user("<command-message>foo</command-message>\n<command-name>/foo</command-name>")) == (
        Prompt(NOON, "", machine=False),
    )


def test_a_meta_line_opens_no_turn_but_a_schedule_does() -> None:
    assert parse(user("Continue from where you left off.", isMeta=True)) == ()
    assert parse(user("check the build", isMeta=True, promptSource="system", turnOrigin="scheduled")) == (
        Prompt(NOON, "", machine=True),
    )


def test_a_compaction_summary_opens_no_turn_although_it_carries_a_turns_marks() -> None:
    assert parse(prompt("This session is being continued", isCompactSummary=True)) == ()
    assert parse(user("This session is being continued", isVisibleInTranscriptOnly=True)) == ()


@pytest.mark.parametrize(
    ("machine", "opening"),
    [
        (False, prompt()),
        (False, user("hello, says an older client")),
        (False, user("hello", promptSource="sdk", turnOrigin="sdk")),
        (False, prompt("<task-notification> is what a person typed")),
        (True, prompt(origin={"kind": "task-notification"}, turnOrigin="task_notification", promptSource="system")),
        (True, user("<task-notification>\n<task-id>b1</task-id>")),
        (True, user('<teammate-message teammate_id="lead">\ngo\n</teammate-message>')),
        (True, user("Another Claude session sent a message:\n<teammate-message>", turnPosition={"turnIndex": 2})),
        (True, user("anything", turnOrigin="something new")),
    ],
)
def test_a_prompt_knows_whether_a_person_gave_it(*, machine: bool, opening: bytes) -> None:
    prompts = [event for event in parse(opening) if isinstance(event, Prompt)]
    assert [event.machine for event in prompts] == [machine]


def test_a_result_with_a_remark_of_the_user_is_no_prompt() -> None:
    blocks = [{"type": "tool_result", "tool_use_id": "t1", "content": "ok"}, text_block("but use tabs")]
    assert parse(user(blocks)) == (Result(NOON, "t1", None),)


def test_a_result_without_a_usable_id_is_no_prompt_either() -> None:
    assert parse(user([{"type": "tool_result", "tool_use_id": ["t1"]}])) == ()
    assert parse(user([{"type": "tool_result", "tool_use_id": "t" * 1000}])) == ()


@pytest.mark.parametrize(
    ("denied", "marks"),
    [
        (None, {"toolUseResult": {"stdout": ""}}),
        (None, {"toolUseResult": "Error: No such tool available: TeamCreate"}),
        ("user", {"toolUseResult": "User rejected tool use", "toolDenialKind": "user-rejected"}),
        ("user", {"toolUseResult": "User rejected tool use"}),
        ("user", {"toolUseResult": "Error: The user doesn't want to proceed with this tool use. To tell you"}),
        (
            "user",
            {"toolUseResult": "Error: Permission for this tool use was denied.", "toolDenialKind": "user-rejected"},
        ),
        ("auto", {"toolUseResult": "Error: touch needs approval.", "toolDenialKind": "user-rejected"}),
        ("auto", {"toolUseResult": "Error: Permission to use Bash", "toolDenialKind": "permission-rule"}),
        ("lost", {"toolUseResult": "[Tool call interrupted: ...]", "toolDenialKind": "interrupted"}),
    ],
)
def test_a_denied_call_names_who_denied_it(denied: Any, marks: dict[str, Any]) -> None:
    assert parse(result("t1", **marks)) == (Result(NOON, "t1", denied),)


def test_a_task_left_in_the_background_is_started_and_its_notification_finishes_it() -> None:
    note = "<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n</task-notification>"
    assert Started(NOON, "b1", "shell") in parse(result("t", toolUseResult={"backgroundTaskId": "b1"}))
    assert Started(NOON, "a1", "agent") in parse(result("t", toolUseResult={"isAsync": True, "agentId": "a1"}))
    assert parse(line("queue-operation", operation="enqueue", content=note)) == (Finished(NOON, "b1"),)
    assert Finished(NOON, "b1") in parse(user(note, turnOrigin="task_notification"))


def test_news_of_an_agent_of_its_own_wakes_a_sub_agent() -> None:
    note = "<task-notification>\n<task-id>a2</task-id>\n<status>completed</status>\n</task-notification>"
    news = user(f"[SYSTEM NOTIFICATION - NOT USER INPUT]\nAn event.\n\n{note}", isMeta=True, isSidechain=True)
    told = parse(news, sidechain=True)
    assert [type(event) for event in told] == [Finished, Prompt]
    assert told[0] == Finished(NOON, "a2")


def test_a_notification_without_a_status_finishes_nothing() -> None:
    note = "<task-notification>\n<task-id>m1</task-id>\n<event>a line came</event>\n</task-notification>"
    assert parse(line("queue-operation", operation="enqueue", content=note)) == ()


def test_a_prompt_waits_in_the_queue_until_its_own_line_comes_or_it_is_taken_out() -> None:
    assert parse(line("queue-operation", operation="enqueue", content="please do it")) == (Queued(NOON, waits=True),)
    assert parse(line("queue-operation", operation="dequeue")) == ()
    taken_out = (Queued(NOON, waits=False),)
    assert parse(line("queue-operation", operation="remove", content="please do it")) == taken_out
    assert parse(line("queue-operation", operation="popAll")) == (Queued(NOON, waits=False, every=True),)
    begun = parse(user("please do it", turnOrigin="human", promptSource="queued"))
    assert begun == (Prompt(NOON, "", machine=False, queued=True),)


def test_a_goal_opens_a_turn_though_an_old_client_does_not_mark_it_case_72() -> None:
    set_goal = 'A session-scoped Stop hook is now active with condition: "all is well". Briefly acknowledge the goal'
    assert parse(user(set_goal, isMeta=True, promptId="p1")) == (Prompt(NOON, "p1", machine=False, goal=True),)
    assert not any(isinstance(event, Prompt) for event in parse(user(set_goal[2:], isMeta=True, promptId="p1")))


def test_what_a_task_wrote_itself_finishes_nothing() -> None:
    note = "<task-notification>\n<result>" + "x" * 5000 + "<task-id>b1</task-id><status>completed</status></result>"
    assert parse(line("queue-operation", operation="enqueue", content=note)) == ()


def test_a_teammate_is_no_background_task() -> None:
    outcome = {"status": "teammate_spawned", "agentId": "researcher@session-b9e5af69"}
    assert parse(result("t", toolUseResult=outcome)) == (Result(NOON, "t", None),)


@pytest.mark.parametrize(
    ("error", "marks", "text"),
    [
        ("rate limit", {"error": "rate_limit", "apiErrorType": "rate_limit_error"}, "API Error: (429) secret"),
        ("invalid request", {"error": "unknown", "apiErrorType": "invalid_request_error"}, "API Error: 400 secret"),
        ("overloaded", {"apiErrorType": "overloaded_error"}, "secret"),
        ("usage limit", {"error": "rate_limit"}, "You've hit your session limit · resets 3pm secret"),
        ("usage limit", {}, "Claude AI usage limit reached|1749924000 secret"),
        ("API error", {}, "secret"),
        ("API error", {"error": {"secret": 1}, "apiErrorType": "Secret \x1b[31m"}, "secret"),
    ],
)
def test_an_api_error_is_told_by_its_class_and_never_by_its_text(error: str, marks: dict[str, Any], text: str) -> None:
    failing = assistant(text_block(text), stop_reason="stop_sequence", isApiErrorMessage=True, **marks)
    assert parse(failing) == (Failed(NOON, error),)


def test_a_retry_after_an_api_error_is_no_end() -> None:
    assert parse(system("api_error", retryAttempt=1, error={"status": 529})) == ()


def test_the_clients_own_filler_is_no_activity() -> None:
    filler = {"model": "<synthetic>", "content": [text_block("No response requested.")], "stop_reason": "stop_sequence"}
    assert parse(line("assistant", message=filler, isApiErrorMessage=False)) == ()


def test_a_message_cut_off_says_so() -> None:
    assert parse(assistant(text_block("wor"), isAbortedMidStream=True)) == (Aborted(NOON),)


def test_a_stop_hook_that_complains_may_have_sent_the_model_back_and_ends_nothing() -> None:
    assert parse(system("stop_hook_summary", hookErrors=[])) == (Ended(NOON),)
    assert parse(system("stop_hook_summary", hookErrors=["more"])) == (Hooked(NOON),)
    assert parse(system("stop_hook_summary", hookErrors=[], hasOutput=True)) == (Hooked(NOON),)
    assert parse(system("stop_hook_summary", hasOutput=True, preventedContinuation=True)) == (Ended(NOON),)
    assert parse(user("Stop hook feedback:\nmore", isMeta=True)) == (Continued(NOON),)


def test_a_prompt_that_a_hook_refuses_is_over() -> None:
    refused = "UserPromptSubmit operation blocked by hook"
    assert parse(system("informational", content=refused, preventContinuation=True)) == (Refused(NOON),)


def test_the_end_of_a_turn_tells_what_goes_on() -> None:
    left = {"pendingBackgroundAgentCount": 2, "pendingWorkflowCount": 1}
    assert parse(system("turn_duration", **left)) == (Ended(NOON, 2, 1),)
    assert parse(system("turn_duration", pendingBackgroundAgentCount="2", pendingWorkflowCount=-1)) == (Ended(NOON),)


def test_a_command_of_the_clients_own_is_over_when_it_leaves_its_lines() -> None:
    assert parse(system("local_command", content="<command-name>/model</command-name>")) == (Local(NOON),)
    assert parse(user("<local-command-caveat>Caveat:", isMeta=True)) == (Local(NOON),)


def test_a_compaction_knows_whether_it_came_by_itself() -> None:
    assert parse(system("compact_boundary", compactMetadata={"trigger": "auto"})) == (Compacted(NOON, auto=True),)
    assert parse(system("compact_boundary", compactMetadata={"trigger": "manual"})) == (Compacted(NOON, auto=False),)
    assert parse(system("compact_boundary")) == (Compacted(NOON, auto=False),)


def test_stopping_all_agents_is_told() -> None:
    assert parse(system("agents_killed")) == (Killed(NOON),)


@pytest.mark.parametrize(
    "bookkeeping",
    [
        line("attachment", attachment={"type": "queued_command", "prompt": "hello"}),
        line("ai-title", aiTitle="Fix the build"),
        line("last-prompt", lastPrompt="hello"),
        line("mode", mode="normal"),
        line("file-history-snapshot", snapshot={"type": "user"}),
        line("summary", summary="hello"),
        line("queue-operation", operation="dequeue"),
        system("away_summary", content="You were away"),
        system("informational", content="hello"),
        system("scheduled_task_fire", content="Running scheduled task"),
        line("something new", message={"role": "user", "content": "hello"}),
    ],
)
def test_bookkeeping_tells_nothing(bookkeeping: bytes) -> None:
    assert parse(bookkeeping) == ()


def test_bulky_bookkeeping_is_not_even_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    decoded: list[bytes] = []
    monkeypatch.setattr(transcript, "decode", decoded.append)
    for first in (b'{"type":"api-request-shape",', b'{"type": "api-request-blob", '):
        parse(first + b'"message":{"type":"user"}}')
    parse(b'{"parentUuid":null,"attachment":{"type":"date"},"type":"attachment"}')
    assert decoded == []
    parse(prompt())
    assert len(decoded) == 1


HOSTILE = {
    "nothing": b"",
    "half a line": prompt()[:-20],
    "two values": prompt() + prompt(),
    "no object": b'["type":"user"]',
    "a list": b'[{"type":"user"}]',
    "nested too deeply": b'{"type":"user","message":' + b"[" * 200_000 + b"]" * 200_000 + b"}",
    "a number too long": b'{"type":"user","timestamp":' + b"9" * 5000 + b"}",
    "not a number": b'{"type":"user","timestamp":NaN,"message":{"content":"x"}}',
    "no time": b'{"type":"user","message":{"content":"x"}}',
    "a time of no calendar": b'{"type":"user","timestamp":"2026-13-45T99:00:00Z","message":{"content":"x"}}',
    "a time before all time": b'{"type":"user","timestamp":"0001-01-01T00:00:00+23:00","message":5}',
    "a type that is a list": b'{"type":["user"],"x":{"type":"user"},"timestamp":"2026-11-16T00:00:00Z"}',
    "nothing but NUL": b"\0" * 100,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_malformed_line_tells_nothing(name: str) -> None:
    assert parse(HOSTILE[name]) == ()


def test_bytes_that_are_not_utf8_do_not_hide_the_rest_of_the_line() -> None:
    assert parse(result("t1").replace(b'"ok"', b'"\xff\xfe\x80"')) == (Result(NOON, "t1", None),)


def test_nul_bytes_before_a_line_do_not_hide_it() -> None:
    assert parse(b"\0" * 512 + result("t1")) == (Result(NOON, "t1", None),)


def test_lone_surrogates_and_control_characters_do_not_come_through() -> None:
    odd = assistant({"type": "tool_use", "id": "t1", "name": "Ba\ud800\x1b[31m\u202esh" + "x" * 500, "input": {}})
    (call,) = parse(odd)
    assert isinstance(call, Call)
    assert call.tool.isprintable()
    assert len(call.tool) <= 64
    assert parse(result("t\ud800")) == ()


KEYS = [
    "type", "message", "content", "timestamp", "isMeta", "isSidechain", "turnOrigin", "turnPosition", "origin", "kind",
    "promptSource", "promptId", "toolUseResult", "toolDenialKind", "tool_use_id", "id", "name", "text", "model",
    "error", "stop_reason", "subtype", "hookErrors", "compactMetadata", "trigger", "isAsync", "agentId",
    "backgroundTaskId", "operation", "isApiErrorMessage", "apiErrorType", "isAbortedMidStream", "isCompactSummary",
]  # fmt: skip
WORDS = [
    "user", "assistant", "system", "text", "tool_use", "tool_result", "turn_duration", "stop_hook_summary", "enqueue",
    "compact_boundary", "agents_killed", "queue-operation", "[Request interrupted by user]", "interrupted", "end_turn",
    "2026-11-16T00:00:00.000Z", "<task-notification>", "User rejected tool use", "Stop hook feedback:", "human",
]  # fmt: skip
LEAVES = [None, True, False, 0, -1.5, 10**40, float("nan"), "", "x", "\ud800"]


def anything(dice: Random, depth: int = 3) -> Any:
    """A value of any shape, made of the words that the client uses."""
    shape = dice.randrange(6) if depth else 0
    if shape > 3:
        return fields(dice, depth)
    if shape == 3:
        return [anything(dice, depth - 1) for _ in range(dice.randrange(3))]
    return dice.choice(WORDS + LEAVES)


def fields(dice: Random, depth: int = 3) -> dict[str, Any]:
    return {key: anything(dice, depth - 1) for key in dice.sample(KEYS, dice.randrange(len(KEYS) // 2))}


@pytest.mark.parametrize("seed", range(8))
def test_no_shape_of_a_line_raises(seed: int) -> None:
    dice, told_something = Random(seed), 0  # noqa: S311 - a game, no secret
    for _ in range(500):
        record = {key: anything(dice) for key in KEYS if dice.random() < 0.7}
        sound = {"type": dice.choice(WORDS[:3]), "timestamp": "2026-11-16T00:00:00.000Z", "isSidechain": None}
        blocks = [{**fields(dice), "type": dice.choice(WORDS[3:6])} for _ in range(2)]
        message = {"message": {"content": blocks, "stop_reason": anything(dice)}} if dice.random() < 0.7 else {}
        events = parse(json.dumps(record | message | sound).encode())
        assert all(event.at == 1794787200.0 for event in events)
        told_something += bool(events)
    assert told_something > 50


@settings(max_examples=200, deadline=None)
@given(data=st.binary(max_size=200), at=st.integers(0, 400))
def test_no_damage_to_a_line_raises(data: bytes, at: int) -> None:
    whole = calls("t1")
    assert isinstance(parse(whole[:at] + data + whole[at:]), tuple)


def test_a_turn_is_known_from_the_prompt_that_opened_it() -> None:
    assert opens_turn(prompt())
    assert opens_turn(user("go", isSidechain=True), sidechain=True)
    assert not opens_turn(user("go", isSidechain=True))
    assert not any(map(opens_turn, [result("t1"), calls("t1"), last_word(), interrupt(), system("turn_duration"), b""]))


def test_the_gist_of_a_long_line_is_a_line_that_tells_the_same() -> None:
    stamp = b"2026-11-16T12:00:00.000Z"
    assert parse(gist(result("t1")[:150], stamp)) == (Result(NOON, "t1", None),)
    assert parse(gist(calls("t1", "Write")[:190], stamp)) == (Call(NOON, "t1", "Write"),)
    assert parse(gist(assistant(text_block("word"))[:150], stamp)) == (Activity(NOON),)
    assert parse(gist(calls("t1", isSidechain=True), stamp)) == ()
    assert parse(gist(calls("t1", isSidechain=True), stamp), sidechain=True) == (Call(NOON, "t1", "Bash"),)


def test_the_gist_of_a_long_line_is_not_guessed() -> None:
    assert gist(prompt()[:150], b"2026-11-16T12:00:00.000Z") == b""
    assert gist(b"", b"2026-11-16T12:00:00.000Z") == b""
    assert parse(gist(result("t1")[:150], b"")) == ()
