"""What a line of a transcript tells."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from support.transcript_lines import (
    NOON,
    assistant,
    calls,
    interrupt,
    last_word,
    line,
    prompt,
    result,
    system,
    text_block,
    user,
)
from watcher.clients.claude import transcript
from watcher.clients.claude.transcript import gist, opens_turn, parse
from watcher.rules.turn_events import (
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
    Message,
    Prompt,
    Queued,
    Refused,
    Result,
    Started,
)


def test_an_event_has_the_wall_clock_time_of_its_line() -> None:
    assert parse(last_word(at=1.25)) == (Activity(NOON + 1.25), Message(NOON + 1.25, "end_turn"))


def test_a_time_without_a_zone_is_utc_wherever_we_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Pacific/Kiritimati")
    time.tzset()
    try:
        assert parse(last_word().replace(b'000Z"', b'000"'))[0] == Activity(NOON)
    finally:
        monkeypatch.undo()
        time.tzset()


def test_a_prompt_has_its_id() -> None:
    assert parse(prompt(at=1)) == (Prompt(NOON + 1, machine=False),)


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
    assert parse(user("<bash-stdout>a</bash-stdout>", turnOrigin="human")) == (Prompt(NOON, machine=False),)


def test_a_users_own_command_opens_a_turn_in_an_older_client_too() -> None:
    assert parse(user("<command-message>foo</command-message>\n<command-name>/foo</command-name>")) == (
        Prompt(NOON, machine=False),
    )


def test_a_meta_line_opens_no_turn_but_a_schedule_does() -> None:
    assert parse(user("Continue from where you left off.", isMeta=True)) == ()
    assert parse(user("check the build", isMeta=True, promptSource="system", turnOrigin="scheduled")) == (
        Prompt(NOON, machine=True),
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


def test_news_of_an_agent_that_went_with_the_process_before_opens_no_turn_case_87() -> None:
    """A resumed session writes it down for the person, and asks the model for nothing."""
    note = "<task-notification>\n<task-id>a1</task-id>\n<status>stopped</status>\n</task-notification>"
    marks: dict[str, Any] = {"promptSource": "system", "origin": {"kind": "task-notification"}}
    assert parse(user(note, **marks, queueTranscriptOnly=True)) == (Finished(NOON, "a1"),)
    assert [type(event) for event in parse(user(note, **marks))] == [Finished, Prompt]


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
    assert begun == (Prompt(NOON, machine=False, queued=True),)


def test_a_goal_opens_a_turn_though_an_old_client_does_not_mark_it_case_72() -> None:
    set_goal = 'A session-scoped Stop hook is now active with condition: "all is well". Briefly acknowledge the goal'
    assert parse(user(set_goal, isMeta=True, promptId="p1")) == (Prompt(NOON, machine=False, goal=True),)
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
    assert parse(system("compact_boundary", compactMetadata={"trigger": "auto"})) == (Compacted(NOON),)
    assert parse(system("compact_boundary", compactMetadata={"trigger": "manual"})) == (Compacted(NOON),)
    assert parse(system("compact_boundary")) == (Compacted(NOON),)


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
    monkeypatch.setattr(transcript, "record_of", decoded.append)
    for first in (b'{"type":"api-request-shape",', b'{"type": "api-request-blob", '):
        parse(first + b'"message":{"type":"user"}}')
    parse(b'{"parentUuid":null,"attachment":{"type":"date"},"type":"attachment"}')
    assert decoded == []
    parse(prompt())
    assert len(decoded) == 1


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
