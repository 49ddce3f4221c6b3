"""The law: what the registry's word on a process means for its main agent."""

import pytest

from support.builders import event
from support.cases import PROMPT, STOP, WAITING, WORKING, judge, stop, verdict
from watcher.rules.evidence import RegistryReport
from watcher.rules.past_reports import PastReport
from watcher.rules.turn_events import Ended, Event, Message, Prompt


def test_an_idle_registry_older_than_the_prompt_does_not_count() -> None:
    assert verdict(PROMPT, now=10.05, report=("idle", 5))[0] == WORKING


def test_a_client_that_clears_itself_does_not_make_its_next_session_work() -> None:
    started = (10.0, event("SessionStart", source="clear"))
    late = RegistryReport("busy", "", 10.05, seen_at=10.2)
    assert verdict(started, now=10.25, report=late)[0] == WAITING
    assert verdict(started, now=13, report=late)[0] == WORKING, "no longer a matter of a moment"
    prompt = (10.1, event("UserPromptSubmit", prompt="x"))
    assert verdict(started, prompt, now=10.25, report=late)[0] == WORKING
    assert verdict(started, now=11.6, report=RegistryReport("busy", "", 11.0, seen_at=11.2))[0] == WORKING


def test_a_prompt_counts_at_once_though_the_registry_still_says_idle() -> None:
    assert verdict(PROMPT, now=10.3, report=("idle", 5.0))[0] == WORKING


def test_what_the_registry_told_of_a_process_that_cannot_be_seen_is_an_event_like_others() -> None:
    away = RegistryReport("busy", "", 10.1, is_now=False)
    assert judge(PROMPT, STOP, now=31, report=away)["main"].status == WAITING


def test_a_registry_whose_word_on_the_turn_comes_after_its_end_does_not_open_it_again() -> None:
    late = RegistryReport("busy", "", 20.9, seen_at=21.1)
    assert judge(PROMPT, STOP, now=21.2, report=late)["main"].status == WAITING
    assert judge(PROMPT, STOP, now=24, report=late)["main"].status == WORKING, "it has not taken it back"


def test_a_busy_of_before_a_start_that_is_told_with_the_first_prompt_is_not_late() -> None:
    """Some clients tell so; taken for late, it would be believed again just as the turn ends."""
    started = (10.1, event("SessionStart", source="resume"))
    prompt, ended = (10.2, event("UserPromptSubmit", prompt="x")), (12.0, event("Stop", background_tasks=[]))
    busy = RegistryReport("busy", "", 10.0, seen_at=10.3)
    seen = (started, prompt, ended)
    assert [verdict(*seen, now=now, report=busy)[0] for now in (12.05, 12.4)] == [WORKING, WORKING]
    assert verdict(*seen, now=12.5, report=("idle", 12.1))[0] == WAITING


def test_a_client_that_is_busy_for_a_moment_with_a_command_of_its_own_does_not_work_case_46() -> None:
    busy, rested = RegistryReport("busy", "", 30.0, seen_at=30.1), (PastReport("idle", 21.0, 30.0),)
    found = judge(PROMPT, STOP, now=30.3, report=busy, history=rested)["main"]
    assert found.status == WAITING
    assert found.until == pytest.approx(30.7)
    assert judge(PROMPT, STOP, now=30.8, report=busy, history=rested)["main"].status == WORKING, "that is no moment"
    again = (30.2, event("UserPromptSubmit", prompt="x", prompt_id="2"))
    assert judge(PROMPT, STOP, again, now=30.3, report=busy, history=rested)["main"].status == WORKING
    between = (PastReport("idle", 29.7, 30.0),)
    assert judge(PROMPT, STOP, now=30.3, report=busy, history=between)["main"].status == WORKING, "between two turns"


def test_a_blink_of_the_registry_between_two_turns_ends_nothing() -> None:
    woken: list[Event] = [Prompt(10, False), Ended(21.0), Prompt(21.1, True)]
    blink = RegistryReport("idle", "", 21.2, seen_at=21.25)
    assert judge(PROMPT, STOP, now=21.3, report=blink, lines=woken)["main"].status == WORKING
    assert judge(PROMPT, STOP, now=21.7, report=blink, lines=woken)["main"].status == WAITING


def test_a_busy_that_was_written_after_its_turns_end_is_late_however_often_that_end_is_told() -> None:
    late = RegistryReport("busy", "", 20.9, seen_at=21.1)
    lines: list[Event] = [Prompt(10, False), Message(20.98, "end_turn"), Ended(21.2)]
    assert judge(PROMPT, STOP, now=21.3, lines=lines, report=late)["main"].status == WAITING


def test_a_busy_that_was_read_late_is_believed_after_two_seconds_and_asked_again_then_case_57() -> None:
    late = RegistryReport("busy", "", 14.9, seen_at=15.2)
    stopped = judge(PROMPT, stop(15.0), now=16, report=late)["main"]
    assert stopped.status == WAITING, "its next word is on its way"
    assert stopped.until == pytest.approx(17.2)
    assert judge(PROMPT, stop(15.0), now=17.3, report=late)["main"].status == WORKING, "a Stop hook sent it back"


def test_a_turn_between_two_idles_is_judged_again_when_it_must_have_begun_case_41() -> None:
    between = RegistryReport("idle", "", 10.1, seen_at=10.2)
    begun = judge(PROMPT, now=10.3, report=between)["main"]
    assert begun.status == WORKING
    assert begun.until == pytest.approx(10.6)
    assert judge(PROMPT, now=10.7, report=between)["main"].status == WAITING


def test_a_command_of_the_clients_own_after_an_early_interruption_begins_no_turn_cases_02_and_46() -> None:
    """Only the registry told of the interruption, and says busy now."""
    rest = (PastReport("busy", 10.1, 11.0), PastReport("idle", 11.0, 15.0, after=10.1))
    busy = RegistryReport("busy", "", 15.0, seen_at=15.0)
    assert verdict(PROMPT, now=15.1, report=busy, history=rest)[0] == WAITING
    assert verdict(PROMPT, now=15.9, report=busy, history=rest)[0] == WORKING, "a command would be over by now"


def test_a_compaction_before_the_first_turn_of_a_cleared_session_begins_none_cases_31_and_33() -> None:
    cleared = (5.0, event("SessionStart", source="clear"))
    compacted = (10.0, event("PreCompact", trigger="manual")), (10.7, event("SessionStart", source="compact"))
    busy = RegistryReport("busy", "", 10.0, seen_at=10.2)
    assert verdict(cleared, *compacted, now=10.9, report=busy)[0] == WAITING
