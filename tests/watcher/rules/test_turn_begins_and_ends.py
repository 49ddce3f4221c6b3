"""The law: beginnings and ends of turns."""

from support.builders import call, event
from support.cases import PRE, PROMPT, STOP, WAITING, WORKING, judge, verdict
from watcher.clients.base import Meta
from watcher.rules.turn_events import Activity, Call, Continued, Ended, Failed, Message, Prompt, Refused


def test_an_api_error_is_waiting_with_the_error_and_working_if_it_resumes_case_29() -> None:
    failed = (12.0, event("StopFailure", error="rate_limit"))
    assert verdict(PROMPT, failed, now=30, report=("idle", 12.1)) == (WAITING, "error: rate limit")
    assert verdict(PROMPT, failed, PRE[:0] or (20, call("PreToolUse", "t")), now=30)[0] == WORKING
    assert verdict(PROMPT, failed, now=30, report=("busy", 20))[0] == WORKING


def test_the_transcript_has_the_better_words_case_29() -> None:
    lines = [Prompt(10, False), Failed(11.9, "usage limit"), Ended(12.1)]
    assert verdict(PROMPT, (12.0, event("StopFailure", error="unknown")), now=30, lines=lines) == (
        WAITING,
        "error: usage limit",
    )
    assert verdict(PROMPT, (12.0, event("StopFailure", error="unknown")), now=30) == (WAITING, "error: API error")


def test_an_api_error_is_not_that_of_a_turn_which_a_message_began_later_case_29() -> None:
    """No hook tells of that turn; that it was interrupted at once, nothing does."""
    failed, lines = (12.0, event("StopFailure", error="rate_limit")), [Prompt(10, False), Failed(11.9, "rate limit")]
    assert verdict(PROMPT, failed, now=400, lines=lines) == (WAITING, "error: rate limit")
    guessed = (WAITING, "probably waiting: quiet for 5 min")
    assert verdict(PROMPT, failed, now=400, lines=[*lines, Prompt(13, True)]) == guessed


def test_an_api_error_delivered_as_an_ordinary_stop_case_30() -> None:
    lines = [Prompt(10, False), Failed(11.9, "server"), Ended(12.1)]
    assert verdict(PROMPT, (12.0, event("Stop")), now=30, lines=lines) == (WAITING, "error: server")


def test_resumed_and_nothing_asked_yet_is_waiting_case_34() -> None:
    old = [Prompt(1, False), Call(2, "x", "Bash")]
    assert verdict((50.0, event("SessionStart", source="resume")), now=51, lines=old) == (WAITING, "")
    assert verdict((50.0, event("SessionStart", source="resume")), now=51, lines=old, report=("idle", 50.1)) == (
        WAITING,
        "",
    )


def test_a_prompt_that_a_new_session_had_before_its_start_was_told_is_open_case_25() -> None:
    """An old client's teammate in a pane has its prompt from the beginning; no other hook tells of that."""
    begun = (50.1, event("SessionStart", source="startup"))
    assert verdict(begun, now=51, lines=[Prompt(50, True)], began=49) == (WORKING, "thinking")
    assert verdict(begun, now=51, began=49) == (WAITING, "")
    stopped = (60.0, event("Stop"))
    assert verdict(begun, stopped, now=61, lines=[Prompt(50, True), Ended(60)], began=49) == (WAITING, "")


def test_an_open_turn_of_an_earlier_process_is_over_case_34() -> None:
    old = [Prompt(1, False), Call(2, "x", "Bash")]
    assert verdict(now=51, lines=old, report=("idle", 50.5), began=50) == (WAITING, "")
    assert verdict(now=51, lines=old, began=50) == (WAITING, "")
    assert verdict(now=60, lines=[*old, Prompt(55, False)], began=50)[0] == WORKING
    metas = {"a1": Meta(type="Explore")}
    assert judge(now=51, metas=metas, sub_lines={"a1": [Prompt(2, True)]}, began=50)["a1"].rule == "recorded-end"


def test_a_task_notification_works_and_is_no_human_word_case_42() -> None:
    wake = (30.0, event("UserPromptSubmit", prompt="<task-notification> x", prompt_id="q"))
    assert verdict(PROMPT, STOP, wake, now=31)[0] == WORKING


def test_a_lead_that_a_teammate_wakes_without_a_prompt_is_working() -> None:
    lines = [Prompt(10, False), Ended(21), Prompt(30, True), Activity(31)]
    assert verdict(PROMPT, STOP, now=32, lines=lines)[0] == WORKING
    assert verdict(PROMPT, STOP, now=32, report=("busy", 30))[0] == WORKING


def test_only_what_the_transcript_reader_lets_through_counts_case_44_45_46() -> None:
    lines = [Prompt(10, False), Activity(12), Message(20.9, "end_turn")]
    assert verdict(PROMPT, now=30, lines=lines)[0] == WORKING, "a Stop hook of somebody may still run"
    assert verdict(PROMPT, STOP, now=30, lines=lines) == (WAITING, "")


def test_a_turn_whose_stop_was_lost_ends_with_the_transcript() -> None:
    assert verdict(PROMPT, now=30, lines=[Prompt(10, False), Activity(12), Ended(13)]) == (WAITING, "")


def test_a_stop_hook_that_sends_the_model_back_leaves_it_working_case_57() -> None:
    assert verdict(PROMPT, STOP, now=31, report=("busy", 10.1))[0] == WORKING, "the registry says so"
    back = [Prompt(10, False), Activity(20), Message(20, "end_turn"), Continued(21.1)]
    assert verdict(PROMPT, STOP, now=31, lines=back) == (WORKING, "thinking"), "without it the transcript does"
    assert verdict(PROMPT, STOP, now=31, report=("idle", 21.1))[0] == WAITING
    assert verdict(PROMPT, STOP, now=21.2, lines=back[:-1])[0] == WORKING, "it has not told yet"
    assert verdict(PROMPT, STOP, now=21.2, lines=[*back[:-1], Ended(21.1)])[0] == WAITING
    assert verdict(PROMPT, STOP, now=22.5, lines=back[:-1])[0] == WAITING
    goal = [*back[:-1], Continued(21.1, is_sure=False)]
    assert verdict(PROMPT, STOP, now=31, lines=goal)[0] == WORKING
    assert verdict(PROMPT, STOP, now=31, lines=[*back[:-1], Ended(21.1), goal[-1]])[0] == WAITING


def test_a_goal_is_pursued_until_the_api_has_judged_that_it_is_met() -> None:
    """Without the registry only the transcript tells, and the client writes in either case."""
    goal = [Prompt(10, machine=False, goal=True), Activity(20), Message(20, "end_turn")]
    assert verdict(PROMPT, STOP, now=23, lines=goal) == (WORKING, "thinking"), "it may still be judged"
    assert verdict(PROMPT, STOP, now=23, lines=[*goal, Ended(22.9)])[0] == WAITING
    assert verdict(PROMPT, STOP, now=27, lines=goal)[0] == WAITING
    assert verdict(PROMPT, STOP, now=23, lines=[Prompt(10, machine=False), *goal[1:]])[0] == WAITING


def test_a_turn_is_over_at_once_when_the_registry_follows_the_stop() -> None:
    assert verdict(PROMPT, STOP, now=21.05, report=("busy", 10.1))[0] == WORKING, "a Stop hook may still run"
    assert verdict(PROMPT, STOP, now=21.1, report=("idle", 21.08))[0] == WAITING


def test_a_prompt_that_a_hook_has_refused_is_no_turn() -> None:
    assert verdict(PROMPT, now=12.5, report=("idle", 5.0))[0] == WAITING, "the registry never said busy"
    assert verdict(PROMPT, now=12, lines=[Refused(10.5)])[0] == WAITING, "the transcript says so"
    before = [Prompt(5, False), Activity(6), Ended(7)]
    assert verdict(PROMPT, now=12, lines=[*before, Refused(10.5)])[0] == WAITING, "also after an earlier turn"


def test_a_session_that_is_resumed_after_its_client_left_in_mid_turn_waits_at_once() -> None:
    cut_off = [Prompt(10, False), Call(11, "t1", "Bash")]
    again = (20.0, event("SessionStart", source="resume"))
    assert verdict(PROMPT, PRE, again, now=20.1, lines=cut_off)[0] == WAITING
