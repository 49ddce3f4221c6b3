"""The law, case by case. A number in a name is the case's in the collection of situations that other tools got wrong.

In each test time runs in seconds; what was seen is told by its source: hook events, transcript lines, the registry's
word, running commands.
"""

import pytest

from contract.facts import Client
from support.builders import ask, call, event
from support.cases import (  # fmt: skip
    ASK,
    ASKING,
    BASH,
    POST,
    PRE,
    PROMPT,
    STOP,
    SUB,
    SUB2,
    WAITING,
    WORKING,
    judge,
    launched,
    rule,
    stop,
    verdict,
)
from watcher.clients.base import Meta
from watcher.rules.law import MAIN_RULES, QUIET_S, SILENT_S, SUB_AGENT_RULES
from watcher.rules.turn import (
    Aborted,
    Activity,
    Call,
    Compacted,
    Ended,
    Event,
    Failed,
    Interrupted,
    Prompt,
    Queued,
    Result,
    Said,
)

# --- interruptions


def test_esc_in_mid_turn_is_waiting_case_01() -> None:
    assert verdict(PROMPT, PRE, now=30, lines=[Prompt(10, "p", False), Interrupted(25)]) == (WAITING, "interrupted")
    assert verdict(PROMPT, now=30, lines=[Prompt(10, "p", False), Activity(12), Aborted(25)]) == (
        WAITING,
        "interrupted",
    )
    assert verdict(PROMPT, PRE, now=30, said=("idle", 25)) == (WAITING, "")


def test_esc_before_any_output_is_waiting_by_the_registry_case_02() -> None:
    assert verdict(PROMPT, now=30, said=("busy", 10.1))[0] == WORKING
    assert verdict(PROMPT, now=30, said=("idle", 12))[0] == WAITING


def test_without_the_registry_it_is_a_bounded_guess_that_says_so_case_02() -> None:
    lines = [Prompt(10, "p", False)]
    assert verdict(PROMPT, now=10 + SILENT_S - 1, lines=lines)[0] == WORKING
    state, detail = verdict(PROMPT, now=10 + SILENT_S + 1, lines=lines)
    assert state == WAITING
    assert detail == "probably waiting: quiet for 5 min"
    assert verdict(PROMPT, PRE, now=10_000, lines=lines)[0] == WORKING, "a command may run for hours"


def test_an_interruption_older_than_the_prompt_does_not_count_case_43() -> None:
    old = [Prompt(1, "o", False), Interrupted(5)]
    assert verdict(PROMPT, now=30, lines=old)[0] == WORKING
    assert verdict(PROMPT, now=30, lines=old, said=("busy", 10.1))[0] == WORKING


def test_an_idle_registry_older_than_the_prompt_does_not_count() -> None:
    assert verdict(PROMPT, now=10.05, said=("idle", 5))[0] == WORKING


# --- approvals


def test_an_approved_bash_is_working_by_registry_or_by_its_process_case_03() -> None:
    assert verdict(PROMPT, PRE, ASK, now=30, said=("waiting", 11.1, "permission prompt")) == (ASKING, "Bash: npm test")
    assert verdict(PROMPT, PRE, ASK, now=30, said=("busy", 15)) == (WORKING, "Bash: npm test")
    assert verdict(PROMPT, PRE, ASK, now=30, commands=[("npm test", 15.0)]) == (WORKING, "Bash: npm test")


def test_a_command_that_began_before_the_request_approves_nothing_case_03() -> None:
    assert verdict(PROMPT, PRE, ASK, now=30, commands=[("npm test", 5.0)])[0] == ASKING


def test_another_agents_command_approves_nothing_case_03() -> None:
    other = (10.5, call("PreToolUse", "u", given={"command": "ls -la"}, **SUB))
    assert verdict(PROMPT, other, PRE, ASK, now=30, commands=[("ls -la", 15.0)])[0] == ASKING


@pytest.mark.parametrize("text", ["npm test", "npm  test\n", "'npm' \"test\""])
def test_the_command_is_known_whatever_the_quoting_case_03(text: str) -> None:
    other = (10.5, call("PreToolUse", "u", given={"command": "ls"}, **SUB))
    assert verdict(PROMPT, other, PRE, ASK, now=30, commands=[(text, 15.0)])[0] == WORKING


def test_an_approved_write_is_working_by_registry_and_else_at_its_result_case_04() -> None:
    write = {"file_path": "/p/a.py", "content": "x"}
    seen = (PROMPT, (11.0, call("PreToolUse", "w", tool="Write", given=write)), (11.1, ask(write, tool="Write")))
    assert verdict(*seen, now=30, said=("busy", 15)) == (WORKING, "Write: a.py")
    assert verdict(*seen, now=30) == (ASKING, "Write: a.py")
    assert verdict(*seen, now=30, lines=[Prompt(10, "p", False), Result(15, "w", None)])[0] == WORKING
    assert verdict(*seen, (16, call("PostToolUse", "w", tool="Write", given=write)), now=30)[0] == WORKING


def test_rejected_is_waiting_case_05() -> None:
    lines = [Prompt(10, "p", False), Call(11, "t1", "Bash"), Result(15, "t1", "user"), Interrupted(15)]
    assert verdict(PROMPT, PRE, ASK, now=30, lines=lines) == (WAITING, "interrupted")
    assert verdict(PROMPT, PRE, ASK, now=30, said=("idle", 15))[0] == WAITING


def test_rejected_with_feedback_is_working_case_06() -> None:
    lines = [Prompt(10, "p", False), Call(11, "t1", "Bash"), Result(15, "t1", "user"), Activity(16)]
    assert verdict(PROMPT, PRE, ASK, now=30, lines=lines)[0] == WORKING
    assert verdict(PROMPT, PRE, ASK, now=30, said=("busy", 15))[0] == WORKING


def test_the_model_writes_after_the_approved_tool_case_07() -> None:
    assert verdict(PROMPT, PRE, ASK, POST, now=30) == (WORKING, "thinking")


def test_a_sub_agent_asks_while_others_work_case_09() -> None:
    start = [(10.5, event("SubagentStart", **SUB)), (10.6, event("SubagentStart", **SUB2))]
    asks = [(12.0, call("PreToolUse", "s", given=BASH, **SUB)), (12.1, ask(BASH, **SUB))]
    found = judge(PROMPT, *start, *asks, stop(13, ("a1", "subagent"), ("a2", "subagent")), now=30)
    assert {key: v.status for key, v in found.items()} == {"main": WORKING, "a1": ASKING, "a2": WORKING}
    assert found["main"].detail == "2 sub-agents"
    assert found["main"].rule == "children-work"
    assert found["a1"].detail == "Bash: npm test"


def test_questions_and_plans_ask_case_10() -> None:
    for tool, word in (("AskUserQuestion", "question"), ("ExitPlanMode", "plan")):
        seen = (PROMPT, (11.0, call("PreToolUse", "q", tool=tool, given={})), (11.1, ask({}, tool=tool)))
        assert verdict(*seen, now=30) == (ASKING, word)
        assert verdict(*seen, now=30, said=("waiting", 11.1, "input needed")) == (ASKING, word)
        assert verdict(*seen, (15, call("PostToolUse", "q", tool=tool, given={})), now=30)[0] == WORKING


def test_a_question_without_a_permission_request_asks_case_11() -> None:
    assert verdict(PROMPT, (11.0, call("PreToolUse", "q", tool="AskUserQuestion", given={})), now=12) == (
        ASKING,
        "question",
    )


def test_the_request_itself_is_enough_at_once_case_12() -> None:
    assert verdict(PROMPT, PRE, ASK, now=11.1)[0] == ASKING


def test_a_dialog_that_only_a_notification_tells_of_case_12() -> None:
    note = (17.0, event("Notification", notification_type="agent_needs_input", message="x"))
    assert verdict(PROMPT, PRE, note, now=18)[0] == ASKING
    assert verdict(PROMPT, PRE, note, POST, now=30)[0] == WORKING


def test_a_late_notification_of_an_answered_request_is_no_news_case_12() -> None:
    note = (17.1, event("Notification", notification_type="permission_prompt"))
    assert verdict(PROMPT, PRE, ASK, note, now=18, commands=[("npm test", 15.0)])[0] == WORKING


def test_an_idle_prompt_changes_nothing_case_13() -> None:
    note = (81.0, event("Notification", notification_type="idle_prompt"))
    assert verdict(PROMPT, PRE, POST, STOP, note, now=90) == (WAITING, "")


def test_a_request_that_cannot_prompt_is_no_request_case_23() -> None:
    headless = Client(pid=1, entrypoint="sdk-cli")
    assert verdict(PROMPT, PRE, ASK, now=12, client=headless) == (WORKING, "Bash: npm test")
    job = Client(pid=1, entrypoint="cli", background=True)
    assert verdict(PROMPT, PRE, ASK, now=12, client=job)[0] == WORKING
    assert verdict(PROMPT, PRE, ASK, now=12, client=job, said=("waiting", 11.1, "permission prompt"))[0] == ASKING


def test_a_call_that_auto_mode_denies_goes_on_case_24() -> None:
    assert verdict(PROMPT, PRE, (12, call("PermissionDenied", "t1", given=BASH)), now=13) == (WORKING, "thinking")


def test_an_mcp_servers_question_asks_until_it_is_answered() -> None:
    seen = (PROMPT, PRE, (12.0, event("Elicitation")))
    assert verdict(*seen, now=13) == (ASKING, "question")
    assert verdict(*seen, (15, event("ElicitationResult")), now=16)[0] == WORKING
    assert verdict(*seen, STOP, now=30)[0] == WAITING


def test_a_servers_question_to_a_sub_agent_asks_though_its_main_agent_has_stopped() -> None:
    """The client tells of it as if it were main's."""
    seen = (*launched(SUB)[:-1], (12.0, event("Elicitation")), stop(13, ("a1", "subagent")))
    assert verdict(*seen, now=30) == (ASKING, "question")
    assert verdict(*seen, now=30, said=("waiting", 12.1, "input needed"))[0] == ASKING
    assert verdict(*seen, now=30, said=("busy", 20.0))[0] == WORKING, "its result was lost, but no dialog is open"
    assert verdict(*seen, (20, event("SubagentStop", **SUB)), now=30)[0] == WAITING, "nobody is left to ask"
    prompt = (20, event("UserPromptSubmit", prompt="y", prompt_id="q"))
    assert verdict(*seen, prompt, now=30)[0] == WORKING, "nobody writes while a form is open"


def test_sandbox_and_trust_dialogs_are_told_by_the_registry_alone() -> None:
    assert verdict(PROMPT, PRE, now=30, said=("waiting", 12, "sandbox request")) == (ASKING, "sandbox request")
    assert verdict(PROMPT, PRE, now=30, said=("waiting", 12, "dialog open")) == (ASKING, "dialog open")


def test_a_dialog_that_a_person_opened_asks_for_nothing() -> None:
    assert verdict(PROMPT, STOP, now=40, said=("waiting", 30, "dialog open")) == (WAITING, "")
    assert verdict(now=40, said=("waiting", 30, "dialog open"))[0] == WAITING


def test_a_registry_that_lags_behind_an_answer_does_not_bring_the_request_back() -> None:
    assert verdict(PROMPT, PRE, ASK, POST, now=20.01, said=("waiting", 11.1, "permission prompt"))[0] == WORKING


def test_a_registry_that_lags_behind_an_answer_to_a_sub_agent_does_not_blame_main() -> None:
    seen = [*launched(SUB), (14.0, call("PreToolUse", "s", given=BASH, **SUB)), (14.1, ask(BASH, **SUB))]
    refused = {"tool_use_id": "s", "tool_name": "Bash", "tool_input": BASH}
    seen.append((18.0, event("PostToolBatch", tool_calls=[refused], **SUB)))
    found = judge(*seen, now=18.01, said=("waiting", 14.12, "permission prompt"))
    assert (found["main"].detail, found["a1"].status) == ("1 sub-agent", WORKING)


# --- the registry speaks for the process, not for an agent


def test_of_two_requests_the_one_left_is_settled_by_the_registry() -> None:
    asks = [
        (12.0, call("PreToolUse", "s", given=BASH, **SUB)),
        (12.0, ask(BASH, **SUB)),
        (12.1, ask({"command": "ls"}, **SUB2)),
    ]
    done = (18.0, call("PostToolUse", "s", given=BASH, **SUB))
    still = judge(PROMPT, *asks, done, now=30, said=("waiting", 12.1, "permission prompt"))
    assert still["a2"].status == ASKING
    found = judge(PROMPT, *asks, done, now=30, said=("busy", 20))
    assert (found["a1"].status, found["a2"].status) == (WORKING, WORKING)


def test_idle_never_clears_a_sub_agent_that_asks() -> None:
    found = judge(PROMPT, (12.0, ask(BASH, **SUB)), stop(13, ("a1", "subagent")), now=30, said=("idle", 14))
    assert found["a1"].status == ASKING


# --- the background


def test_main_stops_while_sub_agents_run_case_14() -> None:
    seen = (PROMPT, (11, event("SubagentStart", **SUB)), (11, event("SubagentStart", **SUB2)))
    both = stop(13, ("a1", "subagent"), ("a2", "subagent"))
    assert verdict(*seen, both, now=30, said=("busy", 10.1)) == (WORKING, "2 sub-agents")
    one = (20, event("SubagentStop", **SUB))
    assert verdict(*seen, both, one, now=30) == (WORKING, "1 sub-agent")
    assert verdict(*seen, both, one, (25, event("SubagentStop", **SUB2)), now=60) == (WAITING, "")


def test_from_the_end_of_the_last_sub_agent_to_the_news_of_it_there_is_no_gap_case_14() -> None:
    seen = [*launched(SUB), (20, event("SubagentStop", **SUB))]
    assert verdict(*seen, now=20.5)[0] == WORKING
    assert verdict(*seen, now=20.5, said=("busy", 10.1))[0] == WORKING
    assert verdict(*seen, now=29, said=("busy", 10.1))[0] == WORKING, "the process itself says so"
    assert verdict(*seen, now=20.5, said=("idle", 20.2))[0] == WORKING, "it says so for a moment, before it wakes main"
    assert verdict(*seen, now=22, said=("idle", 20.2))[0] == WAITING
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


def test_a_dev_server_in_a_background_shell_is_a_detail_case_15() -> None:
    assert verdict(PROMPT, stop(13, ("b1", "shell")), now=9999, said=("shell", 13.1)) == (WAITING, "1 shell running")
    assert verdict(PROMPT, stop(13, ("b1", "shell"), ("b2", "shell")), now=9999) == (WAITING, "2 shells running")
    assert verdict(PROMPT, stop(13, ("b1", "shell")), now=9999, said=("idle", 50)) == (WAITING, "")


def test_a_command_moved_to_the_background_ends_its_call_case_16() -> None:
    moved = (131.0, call("PostToolUse", "t1", given=BASH, tool_response={"backgroundTaskId": "b1"}))
    assert verdict(PROMPT, PRE, moved, stop(132, ("b1", "shell")), now=200) == (WAITING, "1 shell running")


def test_what_wakes_by_itself_says_when_case_17() -> None:
    found = judge(PROMPT, stop(13, crons=("5 14 * * *",)), now=30)["main"]
    assert (found.status, found.rule) == (WAITING, "wakes-by-itself")
    assert [cron.schedule for cron in found.crons] == ["5 14 * * *"]


def test_a_workflow_works_and_a_monitor_waits_case_18() -> None:
    assert verdict(PROMPT, stop(13, ("w1", "workflow")), now=30) == (WORKING, "1 workflow")
    assert verdict(PROMPT, stop(13, ("m1", "monitor")), now=30) == (WAITING, "1 monitor armed")


def test_a_workflows_agent_is_not_written_off_by_a_list_that_names_only_the_workflow_case_18() -> None:
    agent = {"agent_id": "a9", "agent_type": "workflow-subagent"}
    seen = (PROMPT, (11, event("SubagentStart", **agent)))
    assert judge(*seen, stop(13, ("w1", "workflow")), now=30)["a9"].status == WORKING
    assert judge(*seen, stop(13), now=30)["a9"].rule in ("stopped", "written-off")


def test_the_stop_of_a_sub_agent_is_not_the_stop_of_its_parent_case_19() -> None:
    seen = (
        PROMPT,
        (11, call("PreToolUse", "ag", tool="Agent", given={"description": "look"})),
        (11.5, event("SubagentStart", **SUB)),
    )
    assert verdict(*seen, (15, event("SubagentStop", **SUB)), now=16) == (WORKING, "Agent: look")


def test_late_events_of_a_stopped_child_wake_nobody_case_20() -> None:
    late = (22, call("PostToolUse", "s", given=BASH, **SUB))
    found = judge(PROMPT, (11, event("SubagentStart", **SUB)), (20, event("SubagentStop", **SUB)), STOP, late, now=30)
    assert found["main"].status == WAITING
    assert found["a1"].rule in ("stopped", "written-off")


def test_a_sub_agent_whose_stop_was_lost_ends_with_the_list_of_the_client_case_21() -> None:
    found = judge(PROMPT, (11, event("SubagentStart", **SUB)), STOP, now=30)
    assert (found["main"].status, found["a1"].rule) == (WAITING, "written-off")


def test_or_with_an_interruption_in_its_own_transcript_case_21() -> None:
    seen = (PROMPT, (11, call("PreToolUse", "ag", tool="Agent", given={})), (11.5, event("SubagentStart", **SUB)))
    lines: list[Event] = [Prompt(10, "p", False), Result(15, "ag", "user"), Interrupted(15)]
    found = judge(*seen, now=30, lines=lines, sub_lines={"a1": [Prompt(11.4, "", True), Interrupted(15)]})
    assert (found["main"].status, found["a1"].rule) == (WAITING, "cut-off")


def test_or_after_a_long_quiet_case_21() -> None:
    seen = (PROMPT, (11, event("SubagentStart", **SUB)), stop(13, ("a1", "subagent")))
    assert judge(*seen, now=13 + QUIET_S - 60)["a1"].status == WORKING
    found = judge(*seen, now=13 + QUIET_S + 60)
    assert (found["a1"].rule, found["main"].status) == ("quiet", WAITING)


def test_a_sub_agent_with_news_after_the_list_is_not_written_off() -> None:
    news = (22, call("PreToolUse", "s", given=BASH, **SUB))
    assert judge(PROMPT, (11, event("SubagentStart", **SUB)), STOP, news, now=30)["a1"].status == WORKING


def test_an_internal_agent_has_no_row_case_22() -> None:
    assert set(judge(PROMPT, (12, event("SubagentStop", agent_id="x", agent_type="")), now=30)) == {"main"}


def test_an_idle_teammate_waits_and_does_not_keep_its_lead_at_work_case_26() -> None:
    mate = {"agent_id": "amia-1", "agent_type": "mia"}
    idle = (15.0, event("TeammateIdle", teammate_name="mia", team_name="session-9df7420c", **mate))
    seen = (PROMPT, (11, event("SubagentStart", **mate)), stop(13, ("x", "teammate")))
    metas = {"amia-1": Meta(type="mia", name="mia")}
    busy = judge(*seen, now=14, metas=metas)
    assert (busy["main"].detail, busy["amia-1"].status) == ("1 teammate", WORKING)
    found = judge(*seen, (14.9, event("SubagentStop", **mate)), idle, now=30, metas=metas)
    assert (found["main"].status, found["amia-1"].status, found["amia-1"].detail) == (WAITING, WAITING, "idle")


def test_a_teammate_whose_stop_was_lost_is_idle_when_it_says_so() -> None:
    mate = {"agent_id": "amia-1", "agent_type": "mia"}
    seen = (PROMPT, (11, event("SubagentStart", **mate)), stop(13, ("x", "teammate")))
    idle = (15.0, event("TeammateIdle", teammate_name="mia", team_name="t", **mate))
    found = judge(*seen, idle, now=15.5)
    assert (found["main"].rule, found["amia-1"].rule) == ("news-is-due", "idle")
    assert judge(*seen, idle, now=30)["main"].status == WAITING


def test_a_teammate_that_is_spoken_to_again_works_again() -> None:
    mate = {"agent_id": "amia-1", "agent_type": "mia"}
    seen = [(11, event("SubagentStart", **mate)), (14, event("SubagentStop", **mate))]
    seen.append((15, event("TeammateIdle", teammate_name="mia", team_name="t", **mate)))
    assert judge(PROMPT, *seen, (20, event("SubagentStart", **mate)), now=21)["amia-1"].status == WORKING


# --- ends and beginnings of turns


def test_an_api_error_is_waiting_with_the_error_and_working_if_it_resumes_case_29() -> None:
    failed = (12.0, event("StopFailure", error="rate_limit"))
    assert verdict(PROMPT, failed, now=30, said=("idle", 12.1)) == (WAITING, "error: rate limit")
    assert verdict(PROMPT, failed, PRE[:0] or (20, call("PreToolUse", "t")), now=30)[0] == WORKING
    assert verdict(PROMPT, failed, now=30, said=("busy", 20))[0] == WORKING


def test_the_transcript_has_the_better_words_case_29() -> None:
    lines = [Prompt(10, "p", False), Failed(11.9, "usage limit"), Ended(12.1)]
    assert verdict(PROMPT, (12.0, event("StopFailure", error="unknown")), now=30, lines=lines) == (
        WAITING,
        "error: usage limit",
    )
    assert verdict(PROMPT, (12.0, event("StopFailure", error="unknown")), now=30) == (WAITING, "error: API error")


def test_an_api_error_delivered_as_an_ordinary_stop_case_30() -> None:
    lines = [Prompt(10, "p", False), Failed(11.9, "server"), Ended(12.1)]
    assert verdict(PROMPT, (12.0, event("Stop")), now=30, lines=lines) == (WAITING, "error: server")


def test_compaction_by_hand_works_and_then_waits_case_31() -> None:
    seen = (PROMPT, STOP, (30.0, event("PreCompact", trigger="manual")))
    assert verdict(*seen, now=60, said=("busy", 30.1)) == (WORKING, "compacting")
    assert verdict(*seen, now=60) == (WORKING, "compacting")
    done = (*seen, (80.0, event("SessionStart", source="compact")), (80.1, event("PostCompact", trigger="manual")))
    assert verdict(*done, now=90, said=("idle", 80.2))[0] == WAITING
    assert verdict(*done, now=90)[0] == WAITING
    assert verdict(*seen, now=90, said=("idle", 50))[0] == WAITING, "given up with Esc"
    assert verdict(*seen, now=90, lines=[Prompt(10, "p", False), Ended(21), Compacted(80, auto=False)])[0] == WAITING


def test_compaction_in_mid_turn_goes_on_working_case_32() -> None:
    seen = (PROMPT, (15.0, event("PreCompact", trigger="auto")), (25.0, event("SessionStart", source="compact")))
    assert verdict(*seen[:2], now=20) == (WORKING, "compacting")
    assert verdict(*seen, (25.1, event("PostCompact", trigger="auto")), now=30)[0] == WORKING


def test_resumed_and_nothing_asked_yet_is_waiting_case_34() -> None:
    old = [Prompt(1, "o", False), Call(2, "x", "Bash")]
    assert verdict((50.0, event("SessionStart", source="resume")), now=51, lines=old) == (WAITING, "")
    assert verdict((50.0, event("SessionStart", source="resume")), now=51, lines=old, said=("idle", 50.1)) == (
        WAITING,
        "",
    )


def test_a_prompt_that_a_new_session_had_before_its_start_was_told_is_open_case_25() -> None:
    """An old client's teammate in a pane has its prompt from the beginning; no other hook tells of that."""
    begun = (50.1, event("SessionStart", source="startup"))
    assert verdict(begun, now=51, lines=[Prompt(50, "", True)], began=49) == (WORKING, "thinking")
    assert verdict(begun, now=51, began=49) == (WAITING, "")
    stopped = (60.0, event("Stop"))
    assert verdict(begun, stopped, now=61, lines=[Prompt(50, "", True), Ended(60)], began=49) == (WAITING, "")


def test_an_open_turn_of_an_earlier_process_is_over_case_34() -> None:
    old = [Prompt(1, "o", False), Call(2, "x", "Bash")]
    assert verdict(now=51, lines=old, said=("idle", 50.5), began=50) == (WAITING, "")
    assert verdict(now=51, lines=old, began=50) == (WAITING, "")
    assert verdict(now=60, lines=[*old, Prompt(55, "n", False)], began=50)[0] == WORKING
    metas = {"a1": Meta(type="Explore")}
    assert judge(now=51, metas=metas, sub_lines={"a1": [Prompt(2, "", True)]}, began=50)["a1"].rule == "recorded-end"


def test_a_queued_prompt_works_until_the_last_turn_ends_case_41() -> None:
    queued = (12.0, event("UserPromptSubmit", prompt="y", prompt_id="p"))
    assert verdict(PROMPT, PRE, queued, now=13)[0] == WORKING
    first_end = (15.0, event("Stop", prompt_id="p"))
    assert verdict(PROMPT, queued, first_end, now=15.01)[0] == WORKING, "nothing tells of the second turn yet"
    lines = [Prompt(10, "p", False), Ended(15), Prompt(15.02, "q", False)]
    assert verdict(PROMPT, queued, first_end, now=60, lines=lines)[0] == WORKING
    assert verdict(PROMPT, queued, first_end, now=60, said=("busy", 15.03))[0] == WORKING
    assert verdict(PROMPT, queued, first_end, (70, event("Stop", prompt_id="q")), now=71, lines=lines)[0] == WAITING
    assert verdict(PROMPT, queued, first_end, now=60)[0] == WAITING, "the guess is bounded"


def test_a_prompt_that_an_old_client_queues_in_its_transcript_alone_is_working_case_41() -> None:
    """Its hook tells of the prompt only when that begins."""
    lines, first_end = [Prompt(10, "p", False), Queued(12, waits=True), Ended(15)], (15.0, event("Stop", prompt_id="p"))
    assert verdict(PROMPT, first_end, now=15.01, lines=lines) == (WORKING, "queued prompt")
    interrupted = [*lines[:2], Interrupted(15)]
    assert verdict(PROMPT, now=15.01, lines=interrupted, said=("idle", 15)) == (WORKING, "queued prompt")
    begun = (15.2, event("UserPromptSubmit", prompt="y", prompt_id="q"))
    over = (20.0, event("Stop", prompt_id="q"))
    assert verdict(PROMPT, first_end, begun, over, now=20.1, lines=lines) == (WAITING, "")
    assert verdict(PROMPT, first_end, now=15.2, lines=[*lines, Queued(14.9, waits=False)]) == (WAITING, ""), (
        "it was taken in"
    )
    assert verdict(now=21, lines=lines, began=20) == (WAITING, ""), "it was queued in an earlier process"


def test_an_interruption_that_starts_the_queued_prompt_is_working_case_41() -> None:
    queued = (12.0, event("UserPromptSubmit", prompt="y", prompt_id="p"))
    lines = [Prompt(10, "p", False), Interrupted(15)]
    assert verdict(PROMPT, queued, now=15.01, lines=lines)[0] == WORKING, "it starts at once, but is not told yet"
    assert verdict(PROMPT, queued, now=20, lines=[*lines, Prompt(15.02, "q", False)])[0] == WORKING
    over = (20.0, event("Stop", prompt_id="q"))
    assert verdict(PROMPT, queued, over, now=21.1, lines=[*lines, Prompt(15.02, "q", False)])[0] == WAITING
    assert verdict(PROMPT, queued, now=16.5, lines=lines, said=("idle", 15.05))[0] == WAITING, "it was taken back"


def test_a_task_notification_works_and_is_no_human_word_case_42() -> None:
    wake = (30.0, event("UserPromptSubmit", prompt="<task-notification> x", prompt_id="q"))
    assert verdict(PROMPT, STOP, wake, now=31)[0] == WORKING


def test_a_lead_that_a_teammate_wakes_without_a_prompt_is_working() -> None:
    lines = [Prompt(10, "p", False), Ended(21), Prompt(30, "", True), Activity(31)]
    assert verdict(PROMPT, STOP, now=32, lines=lines)[0] == WORKING
    assert verdict(PROMPT, STOP, now=32, said=("busy", 30))[0] == WORKING


def test_only_what_the_transcript_reader_lets_through_counts_case_44_45_46() -> None:
    lines = [Prompt(10, "p", False), Activity(12), Said(20.9, "end_turn")]
    assert verdict(PROMPT, now=30, lines=lines)[0] == WORKING, "a Stop hook of somebody may still run"
    assert verdict(PROMPT, STOP, now=30, lines=lines) == (WAITING, "")


def test_a_session_without_hooks_is_told_by_registry_and_transcript_case_50() -> None:
    assert verdict(now=30, said=("busy", 20))[0] == WORKING
    assert verdict(now=30, said=("idle", 20))[0] == WAITING
    assert verdict(now=30, said=("waiting", 20, "permission prompt")) == (ASKING, "permission")
    assert verdict(now=30, said=("shell", 20)) == (WAITING, "shell running")
    lines: list[Event] = [Prompt(10, "p", False), Call(12, "x", "Bash")]
    assert verdict(now=30, lines=lines) == (WORKING, "Bash")
    assert verdict(now=30, lines=[*lines, Result(13, "x", None), Activity(14), Said(14, "end_turn")])[0] == WAITING
    assert verdict(now=30)[0] == WAITING


def test_a_turn_whose_stop_was_lost_ends_with_the_transcript() -> None:
    assert verdict(PROMPT, now=30, lines=[Prompt(10, "p", False), Activity(12), Ended(13)]) == (WAITING, "")


# --- form


def test_every_verdict_names_a_rule_its_evidence_and_everything_weighed() -> None:
    found = judge(PROMPT, PRE, ASK, now=30, said=("busy", 15), lines=[Prompt(10, "p", False)])["main"]
    assert found.rule == "turn-open"
    assert [(s.source, s.says, s.overruled) for s in found.signs if s.overruled] == [
        ("hook", "asked for Bash: “npm test”", "registry: busy (told now)")
    ]
    assert [s.at for s in found.signs] == sorted((s.at for s in found.signs), reverse=True)


def test_the_last_rule_of_each_ladder_always_applies() -> None:
    assert list(MAIN_RULES)[-1] == "nothing-asked"
    assert list(SUB_AGENT_RULES)[-1] == "at-work"
    assert rule(now=1) == "nothing-asked"


def test_since_is_the_beginning_of_the_state_not_its_latest_sign() -> None:
    working = judge(PROMPT, PRE, POST, now=30, lines=[Prompt(10, "p", False), Activity(25)])["main"]
    assert working.since == 10
    asking = judge(PROMPT, PRE, ASK, now=30)["main"]
    assert asking.since == 11.1
    waiting = judge(PROMPT, STOP, now=99, said=("idle", 21.2), lines=[Prompt(10, "p", False), Ended(21.1)])["main"]
    assert waiting.since == 21
