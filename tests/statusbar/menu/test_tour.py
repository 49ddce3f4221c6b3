"""From one blocked session to the next, and round again."""

from contract.status import NEEDS_APPROVAL
from statusbar.menu.tour import ONE_TOUR_S, Tour
from support.showing import NOW, session

BLOCKED = [session(id_, NEEDS_APPROVAL) for id_ in "abc"]


def stops(tour: Tour, now: float = NOW) -> str:
    return "".join(one.session_id for one in tour.stops(BLOCKED, now))


def test_it_begins_with_the_most_urgent_one() -> None:
    assert stops(Tour()) == "abc"


def test_it_goes_on_after_the_last_stop_and_round_again() -> None:
    assert stops(Tour("a", NOW)) == "bca"
    assert stops(Tour("b", NOW)) == "cab"
    assert stops(Tour("c", NOW)) == "abc"


def test_it_begins_anew_when_the_last_stop_was_answered_or_is_long_ago() -> None:
    assert stops(Tour("gone", NOW)) == "abc"
    assert stops(Tour("b", NOW), NOW + ONE_TOUR_S) == "abc"
    assert stops(Tour("b", NOW), NOW - 1) == "abc", "the clock was set back"


def test_with_nobody_blocked_it_goes_nowhere() -> None:
    assert Tour("a", NOW).stops([], NOW) == []
