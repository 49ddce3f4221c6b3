"""From one blocked session to the next, and round again."""

from contract.status import NEEDS_APPROVAL
from statusbar.menu.next_blocked import SAME_ROUND_S, NextBlocked
from support.showing import NOW, session

BLOCKED = [session(id_, NEEDS_APPROVAL) for id_ in "abc"]


def in_order(blocked: NextBlocked, now: float = NOW) -> str:
    return "".join(one.session_id for one in blocked.in_order(BLOCKED, now))


def test_it_begins_with_the_most_urgent_one() -> None:
    assert in_order(NextBlocked()) == "abc"


def test_it_goes_on_after_the_last_stop_and_round_again() -> None:
    assert in_order(NextBlocked("a", NOW)) == "bca"
    assert in_order(NextBlocked("b", NOW)) == "cab"
    assert in_order(NextBlocked("c", NOW)) == "abc"


def test_it_begins_anew_when_the_last_stop_was_answered_or_is_long_ago() -> None:
    assert in_order(NextBlocked("gone", NOW)) == "abc"
    assert in_order(NextBlocked("b", NOW), NOW + SAME_ROUND_S) == "abc"
    assert in_order(NextBlocked("b", NOW), NOW - 1) == "abc", "the clock was set back"


def test_with_nobody_blocked_it_goes_nowhere() -> None:
    assert NextBlocked("a", NOW).in_order([], NOW) == []
