"""Whether what is waited for has come."""

import pytest

from contract.status import NEEDS_APPROVAL, WAITING, WORKING
from statusbar.model.targets import Ambiguous, NoSuchTarget
from statusbar.model.wait_progress import End, WaitProgress
from statusbar.model.wait_words import ANY_CHANGE, GONE, WANTED, YOUR_TURN
from support.showing import agent, session, statuses

A, B = session("a"), session("b")


def told(end: End | None) -> tuple[bool, list[tuple[str, str, str]]] | None:
    return end and (end.is_reached, [(change.id, change.before, change.after) for change in end.changes])


@pytest.mark.parametrize("wanted", WANTED)
@pytest.mark.parametrize("state", [NEEDS_APPROVAL, WORKING, WAITING])
def test_what_is_so_already_ends_the_wait_at_once(wanted: str, state: str) -> None:
    is_so = wanted == state or (wanted == YOUR_TURN and state != WORKING)
    found = WaitProgress(["a"], wanted).look(statuses(session("a", state)))
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
    progress = WaitProgress(["a"], wanted)
    assert progress.look(statuses(A, B)) is None
    assert progress.look(statuses(A._replace(detail="Edit: x"), session("b", state))) is None
    assert told(progress.look(statuses(session("a", state), B))) == (True, [("a", WORKING, state)])


def test_gone_is_reached_and_any_other_state_is_missed() -> None:
    for wanted in (GONE, ANY_CHANGE):
        progress = WaitProgress(["a"], wanted)
        assert progress.look(statuses(A)) is None
        assert told(progress.look(statuses())) == (True, [("a", WORKING, GONE)])
    progress = WaitProgress(["a"], WAITING)
    assert progress.look(statuses(A)) is None
    assert told(progress.look(statuses())) == (False, [("a", WORKING, GONE)])


def test_one_that_goes_leaves_the_others_to_wait_for_but_not_all_of_them() -> None:
    some = WaitProgress(["a", "b"], WAITING)
    assert some.look(statuses(A, B)) is None
    assert some.look(statuses(B)) is None
    assert [change.id for change in some.lost()] == ["a"]
    assert told(some.look(statuses(session("b", WAITING)))) == (True, [("b", WORKING, WAITING)])
    every = WaitProgress(["a", "b"], WAITING, every=True)
    assert every.look(statuses(A, B)) is None
    assert told(every.look(statuses(B))) == (False, [("a", WORKING, GONE)])


def test_all_of_them_must_be_so_at_the_same_time() -> None:
    progress = WaitProgress(["@working"], WAITING, every=True)
    assert progress.look(statuses(A, B)) is None
    assert progress.look(statuses(session("a", WAITING), B)) is None
    assert progress.look(statuses(A, session("b", WAITING))) is None
    both = (session("a", WAITING), session("b", WAITING), session("c"))
    assert told(progress.look(statuses(*both))) == (True, [("a", WORKING, WAITING), ("b", WORKING, WAITING)])


def test_without_a_word_any_session_counts_also_one_that_begins_later() -> None:
    progress = WaitProgress([], NEEDS_APPROVAL)
    assert progress.look(statuses()) is None
    assert progress.look(statuses(A, session("h", NEEDS_APPROVAL, hidden=True))) is None
    assert progress.look(statuses()) is None, "one that goes is nobody's target"
    assert told(progress.look(statuses(session("n", NEEDS_APPROVAL)))) == (True, [("n", "", NEEDS_APPROVAL)])


def test_without_a_word_all_sessions_are_those_that_are_there() -> None:
    progress = WaitProgress([], WAITING, every=True)
    assert progress.look(statuses()) is None, "nobody waits"
    assert progress.look(statuses(A, session("b", WAITING))) is None
    assert told(progress.look(statuses(session("b", WAITING)))) == (True, [("b", "", WAITING)])
    assert told(WaitProgress([], GONE, every=True).look(statuses())) == (True, [])
    assert WaitProgress([], GONE).look(statuses()) is None, "nobody has gone"


def test_a_new_session_is_a_change() -> None:
    progress = WaitProgress([], ANY_CHANGE)
    assert progress.look(statuses(A)) is None
    assert told(progress.look(statuses(A, B))) == (True, [("b", "", WORKING)])


@pytest.mark.parametrize("state", ["joined", "failed", "killed", "lost"])
def test_an_agent_that_has_ended_is_gone(state: str) -> None:
    running, ended = (session("a", agents=(agent(), agent("x1", state=life))) for life in ("running", state))
    progress = WaitProgress(["a/x1"], GONE)
    assert progress.look(statuses(running)) is None
    assert told(progress.look(statuses(ended))) == (True, [("a/x1", WORKING, GONE)])
    progress = WaitProgress(["a/x1"], GONE)
    assert progress.look(statuses(running)) is None
    assert told(progress.look(statuses(A))) == (True, [("a/x1", WORKING, GONE)])


def test_a_file_that_cannot_be_read_is_nobodys_end() -> None:
    progress = WaitProgress(["a"], GONE)
    assert progress.look(statuses(A)) is None
    assert progress.look(statuses(trouble=("a.json",))) is None
    assert told(progress.look(statuses())) == (True, [("a", WORKING, GONE)])


def test_a_target_that_comes_back_is_there_again() -> None:
    progress = WaitProgress(["a", "b"], WAITING)
    assert progress.look(statuses(A, B)) is None
    assert progress.look(statuses(B)) is None
    assert told(progress.look(statuses(session("a", WAITING), B))) == (True, [("a", WORKING, WAITING)])


def test_who_is_meant_is_asked_once() -> None:
    with pytest.raises(NoSuchTarget):
        WaitProgress(["a", "zz"], GONE).look(statuses(A))
    with pytest.raises(Ambiguous):
        WaitProgress(["a"], GONE).look(statuses(session("ab"), session("ac")))
    progress = WaitProgress(["a"], WAITING)
    assert progress.look(statuses(session("ab"))) is None
    assert progress.look(statuses(session("ab"), session("ac", WAITING))) is None, "another one of that beginning"
