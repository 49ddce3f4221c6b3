"""When an agent that is hosted has asked its last question."""

from __future__ import annotations

import math

from agency.events import Event, Finished, Rests, TaskEnded, Tasks, TaskStarted
from agency.input_closing import LINGER_S, InputClosing

DONE, IDLE, BUSY = Finished(b"{}"), Rests(True), Rests(False)
NEVER = math.inf


def closes(*events: Event) -> float:
    """Each event comes a minute after the one before."""
    closing = InputClosing()
    for number, event in enumerate(events):
        closing.told(event, number * 60.0)
    return closing.closes_at


def test_it_is_done_when_it_rests_after_its_last_words() -> None:
    assert closes(BUSY, DONE) == NEVER
    assert closes(BUSY, DONE, IDLE) == 120.0
    assert closes(BUSY, IDLE) == NEVER, "it has not said anything"
    assert closes(BUSY, IDLE, DONE) == 120.0 + LINGER_S, "in another order"


def test_what_it_has_left_running_may_wake_it() -> None:
    running = Tasks(frozenset({"a"}))
    assert closes(BUSY, running, DONE, IDLE) == NEVER
    assert closes(BUSY, running, DONE, IDLE, Tasks(frozenset())) == 240.0 + LINGER_S
    assert closes(BUSY, running, DONE, IDLE, Tasks(frozenset()), BUSY) == NEVER
    assert closes(BUSY, running, DONE, IDLE, Tasks(frozenset()), BUSY, DONE, IDLE) == 420.0


def test_an_older_client_tells_of_each_task_by_itself() -> None:
    assert closes(BUSY, TaskStarted("a"), TaskStarted("b"), DONE, TaskEnded("a"), IDLE) == NEVER
    assert closes(BUSY, TaskStarted("a"), DONE, IDLE, TaskEnded("a"), BUSY, DONE, IDLE) == 420.0


def test_a_client_that_never_says_that_it_rests_is_done_with_its_last_words() -> None:
    assert closes(DONE) == 0.0
    assert closes(TaskStarted("a"), DONE) == NEVER
