"""Hooks of an agent that was started through us: its first fact was written before its program ran."""

from contract.facts import Fact, Mark, Registered, Stamp, Turn
from recorder import changes
from recorder.change import Change

AT = Stamp((1_800_000_010.0, 10.0))


def after(seconds: float) -> Stamp:
    return Stamp((AT.wall + seconds, AT.boot + seconds))


def registered() -> Fact:
    kept = Registered(name="builder", kind="worker", parent="p", at=AT)
    turn = Turn(opened=AT, prompted=AT, machine=True)
    return Fact(session="s", agent="main", registered=kept, turn=turn, last=Mark(at=AT, word="spawn"))


def test_the_start_of_its_session_does_not_end_the_task_that_it_was_given() -> None:
    fact = changes.record(registered(), Change("session started", session="s", source="startup"), after(1))
    assert fact
    assert fact.turn
    assert fact.turn.is_open
    assert fact.registered == registered().registered


def test_its_first_prompt_is_a_turn_of_its_own_and_another_start_ends_that() -> None:
    fact = registered()
    for kind, at in (("session started", 1.0), ("prompted", 2.0), ("session started", 3.0)):
        told = Change(kind, session="s", source="startup", turn="t")  # type: ignore[arg-type]
        fact = changes.record(fact, told, after(at)) or fact
    assert fact.turn
    assert (fact.turn.id, fact.turn.ended) == ("t", after(3.0))
