"""The law: a turn that a person interrupts."""

from support.cases import PRE, PROMPT, WAITING, WORKING, verdict
from watcher.rules.law import SILENT_S
from watcher.rules.turn_events import Aborted, Activity, Event, Interrupted, Prompt


def test_esc_in_mid_turn_is_waiting_case_01() -> None:
    assert verdict(PROMPT, PRE, now=30, lines=[Prompt(10, False), Interrupted(25)]) == (WAITING, "interrupted")
    assert verdict(PROMPT, now=30, lines=[Prompt(10, False), Activity(12), Aborted(25)]) == (
        WAITING,
        "interrupted",
    )
    assert verdict(PROMPT, PRE, now=30, report=("idle", 25)) == (WAITING, "")


def test_esc_before_any_output_is_waiting_by_the_registry_case_02() -> None:
    assert verdict(PROMPT, now=30, report=("busy", 10.1))[0] == WORKING
    assert verdict(PROMPT, now=30, report=("idle", 12))[0] == WAITING


def test_without_the_registry_it_is_a_bounded_guess_that_says_so_case_02() -> None:
    lines = [Prompt(10, False)]
    assert verdict(PROMPT, now=10 + SILENT_S - 1, lines=lines)[0] == WORKING
    state, detail = verdict(PROMPT, now=10 + SILENT_S + 1, lines=lines)
    assert state == WAITING
    assert detail == "probably waiting: quiet for 5 min"
    assert verdict(PROMPT, PRE, now=10_000, lines=lines)[0] == WORKING, "a command may run for hours"


def test_an_interruption_older_than_the_prompt_does_not_count_case_43() -> None:
    old = [Prompt(1, False), Interrupted(5)]
    assert verdict(PROMPT, now=30, lines=old)[0] == WORKING
    assert verdict(PROMPT, now=30, lines=old, report=("busy", 10.1))[0] == WORKING


def test_an_interruption_counts_before_the_registry_has_heard_of_it() -> None:
    lines: list[Event] = [Interrupted(12.0)]
    assert verdict(PROMPT, PRE, now=12.1, lines=lines, report=("busy", 10.1)) == (WAITING, "interrupted")
    assert verdict(PROMPT, PRE, now=15, lines=lines, report=("busy", 10.1))[0] == WORKING, "it must know by then"
    assert verdict(PROMPT, PRE, now=12.6, lines=lines, report=("busy", 12.05))[0] == WORKING
