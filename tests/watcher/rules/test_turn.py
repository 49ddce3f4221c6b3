"""The turn after what a transcript told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.transcript_lines import recorded
from support.turns import fold_all
from watcher.clients.claude.transcript import parse
from watcher.rules.turn import KEPT, Turn
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
    Message,
    Prompt,
    Queued,
    Result,
    Started,
)

if TYPE_CHECKING:
    from watcher.rules.turn import End
    from watcher.rules.turn_events import Event

ASKED = Prompt(1, machine=False)
CALLED = Call(2, "t1", "Bash")


def after(*events: Event) -> Turn:
    return fold_all(Turn(), events)


def replayed(name: str, lines: int | None = None, *, sidechain: bool = False) -> Turn:
    return after(*(event for line in recorded(name)[:lines] for event in parse(line, sidechain=sidechain)))


def test_nothing_seen_is_no_open_turn() -> None:
    assert not Turn().open


def test_a_prompt_opens_a_turn() -> None:
    turn = after(ASKED)
    assert turn.open
    assert (turn.prompted_at, turn.machine) == (1, False)


def test_activity_alone_is_an_open_turn_whose_prompt_is_too_far_back() -> None:
    turn = after(Activity(5))
    assert turn.open
    assert (turn.prompted_at, turn.active_at) == (None, 5)


@pytest.mark.parametrize(
    ("how", "ending"),
    [
        ("end", Ended(3)),
        ("said", Message(3, "end_turn")),
        ("interrupt", Interrupted(3)),
        ("interrupt", Aborted(3)),
        ("error", Failed(3, "rate limit")),
    ],
)
def test_an_end_closes_the_turn_and_its_calls_and_says_how(how: End, ending: Event) -> None:
    turn = after(ASKED, CALLED, ending)
    assert (turn.open, turn.ended_at, turn.how, turn.calls) == (False, 3, how, {})
    assert turn.error == ("rate limit" if how == "error" else "")


@pytest.mark.parametrize("reason", ["tool_use", "max_tokens", "pause_turn", "something new"])
def test_a_message_that_stops_for_another_reason_is_no_last_word(reason: str) -> None:
    assert after(ASKED, Message(2, reason)).open


@pytest.mark.parametrize("cause", [Interrupted(3), Failed(3, "overloaded")])
def test_the_plain_end_that_follows_its_cause_does_not_hide_it(cause: Event) -> None:
    assert after(ASKED, cause, Ended(4)) == after(ASKED, cause)


def test_an_error_after_an_interruption_is_not_shown() -> None:
    assert after(ASKED, Interrupted(3), Failed(4, "overloaded")).error == ""


def test_the_clients_own_end_confirms_the_last_word() -> None:
    turn = after(ASKED, Message(3, "end_turn"), Ended(60))
    assert (turn.how, turn.ended_at) == ("end", 60)


@pytest.mark.parametrize("ending", [Ended(3), Message(3, "end_turn"), Interrupted(3), Failed(3, "rate limit")])
@pytest.mark.parametrize("again", [Prompt(4, machine=True), Activity(4), Call(4, "t2", "Read")])
def test_a_prompt_or_the_models_own_activity_reopens_an_ended_turn(ending: Event, again: Event) -> None:
    turn = after(ASKED, ending, again)
    assert turn.open
    assert (turn.ended_at, turn.how, turn.error) == (None, None, "")


def test_a_stop_hook_that_sends_the_model_back_reopens_the_turn_at_once() -> None:
    assert after(ASKED, Message(3, "end_turn"), Continued(4)).open


def test_a_new_prompt_leaves_the_calls_of_the_old_turn_behind() -> None:
    turn = after(ASKED, CALLED, Prompt(9, machine=True))
    assert (turn.calls, turn.prompted_at, turn.machine) == ({}, 9, True)


def test_a_result_closes_its_call_and_no_other() -> None:
    turn = after(ASKED, CALLED, Call(3, "t2", "Read"), Result(4, "t2", None))
    assert turn.calls == {"t1": CALLED}
    assert turn.results == {"t2": Result(4, "t2", None, "Read")}
    assert turn.active_at == 4


def test_a_rejection_followed_by_the_interruption_is_the_end() -> None:
    turn = after(ASKED, CALLED, Result(3, "t1", "user"), Interrupted(3.1))
    assert (turn.open, turn.how) == (False, "interrupt")
    assert turn.denied == Result(3, "t1", "user")


def test_a_rejection_with_feedback_is_not_the_end() -> None:
    turn = after(ASKED, CALLED, Result(3, "t1", "user"))
    assert turn.open
    assert (turn.calls, turn.denied) == ({}, Result(3, "t1", "user"))


def test_a_denied_call_is_no_work_of_the_agent() -> None:
    assert after(ASKED, CALLED, Result(9, "t1", "lost")).active_at == 2


def test_a_call_that_was_refused_is_not_lost_with_its_session_in_another_process() -> None:
    refused = Result(3, "t1", "user", "Bash")
    assert after(ASKED, CALLED, refused, Result(9, "t1", "lost")).results == {"t1": refused}


def test_a_late_result_does_not_reopen_an_interrupted_turn() -> None:
    turn = after(ASKED, CALLED, Interrupted(3), Result(4, "t1", None))
    assert not turn.open
    assert "t1" in turn.results


def test_a_prompt_written_behind_the_call_it_caused_leaves_that_call_open() -> None:
    turn = after(Call(2, "t1", "Bash"), ASKED)
    assert turn.open
    assert (list(turn.calls), turn.prompted_at, turn.active_at) == (["t1"], 1, 2)


def test_a_prompt_written_behind_its_turns_end_does_not_reopen_it() -> None:
    turn = after(Activity(2), Message(2, "end_turn"), Ended(2.5), ASKED)
    assert (turn.open, turn.how, turn.prompted_at) == (False, "end", 1)


def test_an_end_written_behind_the_next_prompt_does_not_end_its_turn() -> None:
    for late in (Ended(4.9), Interrupted(4.9), Message(4.9, "end_turn"), Failed(4.9, "overloaded")):
        assert after(ASKED, Prompt(5, machine=False), late).open


def test_an_interruption_that_lets_a_queued_prompt_begin_does_not_end_its_turn() -> None:
    """The client writes the prompt first, or the interruption."""
    queued = (ASKED, CALLED, Queued(3, waits=True), Prompt(12.0, machine=False, queued=True))
    assert after(*queued, Interrupted(12.02)).open
    assert after(*queued, Result(12.9, "t1", "user"), Interrupted(13.0)).open, "on a busy machine"
    assert not after(*queued, Aborted(14.0), Interrupted(14.0)).open
    assert not after(*queued, Activity(13.0), Interrupted(13.1)).open
    assert not after(ASKED, Prompt(12.0, machine=False), Interrupted(12.02)).open


def test_a_word_written_behind_the_end_does_not_reopen_the_turn() -> None:
    assert not after(ASKED, Interrupted(5), Activity(4.9)).open
    assert not after(ASKED, Interrupted(5), Call(4.9, "t1", "Bash")).open


def test_a_call_written_behind_its_result_is_not_open() -> None:
    assert after(ASKED, Result(3, "t1", None), CALLED).calls == {}


def test_what_happens_in_the_same_moment_counts_in_the_order_of_the_file() -> None:
    assert after(ASKED, Ended(5), Prompt(5, machine=False)).open
    assert not after(ASKED, Prompt(5, machine=False), Ended(5)).open
    assert after(ASKED, Ended(5), Activity(5)).open


def test_a_clock_set_back_by_an_hour_hides_no_turn_and_no_end() -> None:
    turn = after(Prompt(5000, machine=False), Call(5001, "t1", "Bash"), Prompt(1400, machine=False))
    assert turn.open
    assert after(Prompt(5000, machine=False), Ended(5001), Prompt(1400, machine=False)).open
    assert turn.calls == {}
    assert not fold_all(turn, [Activity(1401), Ended(1402)]).open
    assert not after(Prompt(5000, machine=False), Ended(1400)).open


def test_a_compaction_neither_opens_nor_ends_a_turn() -> None:
    assert after(Compacted(5)) == Turn(compacted_at=5)
    assert after(ASKED, Compacted(5)).open
    assert not after(ASKED, Ended(4), Compacted(5)).open


def test_a_background_task_outlives_the_turn_until_it_reports() -> None:
    shell, agent = Started(2, "b1", "shell"), Started(3, "a1", "agent")
    left = after(ASKED, shell, agent, Ended(4), Prompt(5, machine=False))
    assert left.tasks == {"b1": shell, "a1": agent}
    assert fold_all(left, [Finished(6, "b1")]).tasks == {"a1": agent}
    assert fold_all(left, [Finished(6, "unheard of")]).tasks == left.tasks


def test_stopping_all_agents_leaves_the_shells_running() -> None:
    shell = Started(2, "b1", "shell")
    assert after(shell, Started(3, "a1", "agent"), Killed(4)).tasks == {"b1": shell}


def test_a_turn_of_thousands_of_calls_stays_small() -> None:
    events: list[Event] = []
    for n in range(2000):
        events += [Call(n, f"t{n}", "Bash"), Result(n, f"r{n}", None), Started(n, f"b{n}", "shell")]
    turn = after(*events)
    assert len(turn.calls) == len(turn.results) == len(turn.tasks) == KEPT
    assert ("t1999" in turn.calls, "r1999" in turn.results, "b1999" in turn.tasks) == (True, True, True)


def test_folding_leaves_the_turn_before_as_it_was() -> None:
    before = after(ASKED, CALLED)
    fold_all(before, [Result(3, "t1", "user"), Started(3, "b1", "shell"), Call(4, "t2", "Read"), Ended(5)])
    assert before == after(ASKED, CALLED)


ENDS: dict[str, End] = {
    "api_error": "error",
    "approved": "end",
    "approved_with_a_remark_in_2_1_197": "end",
    "background_shell_wakes_the_agent": "end",
    "cleared": "end",
    "compacted": "end",
    "compacted_in_mid_turn": "end",
    "denied_in_print_mode": "said",
    "interrupted_while_a_tool_runs": "interrupt",
    "interrupted_while_text_streams": "interrupt",
    "interrupted_with_a_prompt_queued": "end",
    "killed_resumed_and_asked_again": "end",
    "lead_of_a_teammate": "end",
    "local_commands": "end",
    "local_commands_in_2_1_197": "end",
    "plan_dismissed": "interrupt",
    "prompt_queued_for_the_next_turn": "end",
    "prompt_queued_in_mid_turn": "end",
    "rate_limited": "error",
    "rejected": "interrupt",
    "rejected_with_feedback": "end",
    "resumed": "end",
    "schedule_wakes_the_agent": "end",
    "schedule_wakes_the_agent_in_2_1_197": "end",
    "stop_hook_sends_it_back": "end",
    "sub_agents_in_the_background": "end",
    "two_calls_rejected_at_once": "interrupt",
}


@pytest.mark.parametrize("name", sorted(ENDS))
def test_a_recorded_turn_ended_as_it_did(name: str) -> None:
    turn = replayed(name)
    assert (turn.open, turn.how, turn.calls, turn.tasks) == (False, ENDS[name], {}, {})


@pytest.mark.parametrize("name", ["killed_in_mid_tool", "approved_and_switched_to_auto", "auto_mode_opens_a_dialog"])
def test_a_recorded_call_without_a_result_is_still_open(name: str) -> None:
    turn = replayed(name)
    assert turn.open
    assert [call.tool for call in turn.calls.values()] == ["Bash"]


def test_a_recorded_turn_interrupted_before_any_output_leaves_no_trace() -> None:
    turn = replayed("interrupted_before_any_output")
    assert turn.open
    assert turn.active_at is None


def test_a_recorded_stop_hook_keeps_the_turn_open_while_the_model_thinks_again() -> None:
    lines = recorded("stop_hook_sends_it_back")
    words = [n for n, line in enumerate(lines) if b'"end_turn"' in line]
    assert len(words) == 2
    assert replayed("stop_hook_sends_it_back", words[0] + 1).how == "said"
    assert replayed("stop_hook_sends_it_back", words[1]).open


def test_a_recorded_compaction_in_mid_turn_leaves_the_turn_open() -> None:
    lines = recorded("compacted_in_mid_turn")
    (summary,) = [n for n, line in enumerate(lines) if b'"isCompactSummary":true' in line]
    turn = replayed("compacted_in_mid_turn", summary + 1)
    assert turn.open
    assert turn.compacted_at is not None


def test_recorded_local_commands_after_the_end_leave_it_ended() -> None:
    lines = recorded("local_commands")
    (last_end,) = [n for n, line in enumerate(lines) if b'"turn_duration"' in line][-1:]
    assert last_end < len(lines) - 2
    ended, after = replayed("local_commands", last_end + 1), replayed("local_commands")
    assert (after.ended_at, after.how, after.active_at) == (ended.ended_at, "end", ended.active_at)
    assert (after.local_at or 0.0) > (ended.ended_at or 0.0)


def test_a_recorded_task_notification_opens_a_turn_of_the_machine() -> None:
    assert replayed("background_shell_wakes_the_agent").machine
    assert replayed("schedule_wakes_the_agent").machine
    assert not replayed("approved").machine


def test_a_recorded_sub_agent_ends_with_its_last_word() -> None:
    turn = replayed("sub_agents_in_the_background/subagents/agent-aa5fb3115e8bd99c2", sidechain=True)
    assert (turn.open, turn.how, turn.machine) == (False, "said", True)


def test_a_stop_hook_that_sends_it_back_is_later_than_all_stop_hooks() -> None:
    """The feedback is stamped when its own hook ends; another Stop hook, such as ours, may be later than that."""
    begun: list[Event] = [Prompt(1, False), Activity(2), Message(2, "end_turn"), Continued(3)]
    assert fold_all(Turn(), begun).active_at == 3
    assert fold_all(Turn(), [*begun, Hooked(4)]).active_at == 4
    assert fold_all(Turn(), [*begun[:3], Hooked(4)]).active_at == 2, "nobody sent it back"
