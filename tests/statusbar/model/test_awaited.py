"""Whether what is waited for has come."""

import pytest

from contract.status import NEEDS_APPROVAL, WAITING, WORKING
from statusbar.model.awaited import Awaited, End
from statusbar.model.targets import Ambiguous, NoSuchTarget
from statusbar.model.wanted import ANY_CHANGE, GONE, WANTED, YOUR_TURN
from support.showing import agent, session, statuses

A, B = session("a"), session("b")


def told(end: End | None) -> tuple[bool, list[tuple[str, str, str]]] | None:
    return end and (end.is_reached, [(change.id, change.before, change.after) for change in end.changes])


@pytest.mark.parametrize("wanted", WANTED)
@pytest.mark.parametrize("state", [NEEDS_APPROVAL, WORKING, WAITING])
def test_what_is_so_already_ends_the_wait_at_once(wanted: str, state: str) -> None:
    is_so = wanted == state or (wanted == YOUR_TURN and state != WORKING)
    found = Awaited(["a"], wanted).look(statuses(session("a", state)))
    assert told(found) == ((True, [("a", state, state)]) if is_so else None)


@pytest.mark.parametrize(
    ("wanted", "state"),
    [
        (NEEDS_APPROVAL, NEEDS_APPROVAL),
        (WAITING, WAITING),
        (YOUR_TURN, WAITING),
        (YOUR_TURN, NEEDS_APPROVAL),
        (ANY_CHANGE, WAITING),
    ],
)
def test_a_change_tells_who_from_and_to(wanted: str, state: str) -> None:
    awaited = Awaited(["a"], wanted)
    assert awaited.look(statuses(A, B)) is None
    assert awaited.look(statuses(A._replace(detail="Edit: x"), session("b", state))) is None
    assert told(awaited.look(statuses(session("a", state), B))) == (True, [("a", WORKING, state)])


def test_gone_is_reached_and_any_other_state_is_missed() -> None:
    for wanted in (GONE, ANY_CHANGE):
        awaited = Awaited(["a"], wanted)
        assert awaited.look(statuses(A)) is None
        assert told(awaited.look(statuses())) == (True, [("a", WORKING, GONE)])
    awaited = Awaited(["a"], WAITING)
    assert awaited.look(statuses(A)) is None
    assert told(awaited.look(statuses())) == (False, [("a", WORKING, GONE)])


def test_one_that_goes_leaves_the_others_to_wait_for_but_not_all_of_them() -> None:
    some = Awaited(["a", "b"], WAITING)
    assert some.look(statuses(A, B)) is None
    assert some.look(statuses(B)) is None
    assert [change.id for change in some.lost()] == ["a"]
    assert told(some.look(statuses(session("b", WAITING)))) == (True, [("b", WORKING, WAITING)])
    every = Awaited(["a", "b"], WAITING, every=True)
    assert every.look(statuses(A, B)) is None
    assert told(every.look(statuses(B))) == (False, [("a", WORKING, GONE)])


def test_all_of_them_must_be_so_at_the_same_time() -> None:
    awaited = Awaited(["@working"], WAITING, every=True)
    assert awaited.look(statuses(A, B)) is None
    assert awaited.look(statuses(session("a", WAITING), B)) is None
    assert awaited.look(statuses(A, session("b", WAITING))) is None
    both = (session("a", WAITING), session("b", WAITING), session("c"))
    assert told(awaited.look(statuses(*both))) == (True, [("a", WORKING, WAITING), ("b", WORKING, WAITING)])


def test_without_a_word_any_session_counts_also_one_that_begins_later() -> None:
    awaited = Awaited([], NEEDS_APPROVAL)
    assert awaited.look(statuses()) is None
    assert awaited.look(statuses(A, session("h", NEEDS_APPROVAL, hidden=True))) is None
    assert awaited.look(statuses()) is None, "one that goes is nobody's target"
    assert told(awaited.look(statuses(session("n", NEEDS_APPROVAL)))) == (True, [("n", "", NEEDS_APPROVAL)])


def test_without_a_word_all_sessions_are_those_that_are_there() -> None:
    awaited = Awaited([], WAITING, every=True)
    assert awaited.look(statuses()) is None, "nobody waits"
    assert awaited.look(statuses(A, session("b", WAITING))) is None
    assert told(awaited.look(statuses(session("b", WAITING)))) == (True, [("b", "", WAITING)])
    assert told(Awaited([], GONE, every=True).look(statuses())) == (True, [])
    assert Awaited([], GONE).look(statuses()) is None, "nobody has gone"


def test_a_new_session_is_a_change() -> None:
    awaited = Awaited([], ANY_CHANGE)
    assert awaited.look(statuses(A)) is None
    assert told(awaited.look(statuses(A, B))) == (True, [("b", "", WORKING)])


@pytest.mark.parametrize("state", ["joined", "failed", "killed", "lost"])
def test_an_agent_that_has_ended_is_gone(state: str) -> None:
    running, ended = (session("a", agents=(agent(), agent("x1", state=life))) for life in ("running", state))
    awaited = Awaited(["a/x1"], GONE)
    assert awaited.look(statuses(running)) is None
    assert told(awaited.look(statuses(ended))) == (True, [("a/x1", WORKING, GONE)])
    awaited = Awaited(["a/x1"], GONE)
    assert awaited.look(statuses(running)) is None
    assert told(awaited.look(statuses(A))) == (True, [("a/x1", WORKING, GONE)])


def test_a_file_that_cannot_be_read_is_nobodys_end() -> None:
    awaited = Awaited(["a"], GONE)
    assert awaited.look(statuses(A)) is None
    assert awaited.look(statuses(trouble=("a.json",))) is None
    assert told(awaited.look(statuses())) == (True, [("a", WORKING, GONE)])


def test_a_target_that_comes_back_is_there_again() -> None:
    awaited = Awaited(["a", "b"], WAITING)
    assert awaited.look(statuses(A, B)) is None
    assert awaited.look(statuses(B)) is None
    assert told(awaited.look(statuses(session("a", WAITING), B))) == (True, [("a", WORKING, WAITING)])


def test_who_is_meant_is_asked_once() -> None:
    with pytest.raises(NoSuchTarget):
        Awaited(["a", "zz"], GONE).look(statuses(A))
    with pytest.raises(Ambiguous):
        Awaited(["a"], GONE).look(statuses(session("ab"), session("ac")))
    awaited = Awaited(["a"], WAITING)
    assert awaited.look(statuses(session("ab"))) is None
    assert awaited.look(statuses(session("ab"), session("ac", WAITING))) is None, "another one of that beginning"
