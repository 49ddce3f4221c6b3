"""When sessions are judged again, though no file tells of anything new."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

from watcher.sessions.agenda import EPSILON_S, PRESSED_S, REJUDGED, Agenda
from watcher.sessions.judgement import COLD_S

if TYPE_CHECKING:
    from watcher.sessions.session import Session


def judged(name: str, *, at: float = 0.0, due: float | None = None, is_pressed: bool = False) -> Session:
    return cast("Session", SimpleNamespace(id=name, judged_at=at, due=due, is_pressed=is_pressed))


def test_a_verdict_that_may_lapse_is_looked_at_then_and_not_before() -> None:
    agenda = Agenda()
    agenda.judged(judged("a", due=10.0))
    assert agenda.soonest(5.0) == [10.0 + EPSILON_S]
    assert (agenda.restless(10.0), agenda.restless(10.0 + EPSILON_S)) == (set(), {"a"})
    agenda.judged(judged("a"))
    assert (agenda.soonest(5.0), agenda.restless(99.0)) == ([], set())


def test_whoever_may_start_a_command_is_looked_at_all_the_time() -> None:
    agenda = Agenda()
    agenda.judged(judged("a", is_pressed=True))
    assert agenda.is_pressed("a")
    assert (agenda.soonest(5.0), agenda.restless(5.0)) == ([5.0 + PRESSED_S], {"a"})


def test_a_session_that_fails_is_left_to_the_poll() -> None:
    agenda = Agenda()
    agenda.judged(judged("a", due=10.0))
    agenda.failed("a")
    assert agenda.restless(99.0) == set()


def test_some_that_were_judged_longest_ago_are_judged_again() -> None:
    agenda, names = Agenda(), [f"s{number}" for number in range(REJUDGED + 2)]
    for number, name in enumerate(names):
        agenda.judged(judged(name, at=float(number)))
    agenda.forget(names[0])
    assert agenda.longest_unjudged(set(names), COLD_S) == set(), "the first that is left was judged a second later"
    assert agenda.longest_unjudged(set(names), 99.0) == set(names[1:-1])
    assert agenda.longest_unjudged({names[-1]}, 99.0) == {names[-1]}
