"""From the lines of the log to what each session did when."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statusbar.day.history import End, History, history
from statusbar.day.log_lines import Stand, Watching
from statusbar.day.spans import UNKNOWN
from support.days import BLOCKED, GOES, SHOP, WAITS, WORKS, at, course, lapse, stand, start, told


def test_each_state_lasts_until_the_next_line() -> None:
    found = told(start(0), stand(1, WORKS), stand(5, BLOCKED), stand(8, WORKS), stand(20, GOES))
    assert course(found) == [(1, 5, WORKS), (5, 8, BLOCKED), (8, 20, WORKS)]


def test_what_goes_on_lasts_until_now() -> None:
    assert course(told(start(0), stand(1, WORKS), now=30)) == [(1, 30, WORKS)]


def test_a_line_that_tells_nothing_new_changes_nothing() -> None:
    assert course(told(start(0), stand(1, WORKS), stand(9, WORKS), now=30)) == [(1, 30, WORKS)]


def test_a_dead_watcher_leaves_the_unknown_behind_and_no_calm() -> None:
    found = told(start(0), stand(1, WAITS), now=30, seen=10)
    assert course(found) == [(1, 10, WAITS), (10, 30, UNKNOWN)]
    assert found.gaps == ((at(10), at(30)),)


def test_without_its_last_words_a_watcher_has_seen_what_it_wrote_last() -> None:
    found = history([start(0), stand(1, WORKS), stand(7, WAITS)], End(at(30), 0.0))
    assert course(found) == [(1, 7, WORKS), (7, 30, UNKNOWN)]


def test_a_watcher_that_rests_leaves_no_gap() -> None:
    found = told(start(0), stand(1, WAITS), stand(5, GOES), now=30, seen=6, rested=True)
    assert (course(found), found.gaps) == ([(1, 5, WAITS)], ())


def test_the_time_without_a_watcher_is_unknown_until_the_next_one_tells_how_it_stands() -> None:
    found = told(start(0), stand(1, WORKS), start(20, since=10), stand(21, WAITS), now=30)
    assert course(found) == [(1, 10, WORKS), (10, 21, UNKNOWN), (21, 30, WAITS)]
    assert found.gaps == ((at(10), at(20)),)


def test_a_session_that_ended_without_a_line_is_not_drawn_after_the_gap() -> None:
    found = told(start(0), stand(1, WORKS), start(20, since=10), now=30)
    assert course(found) == [(1, 10, WORKS), (10, 20, UNKNOWN)]


def test_a_watcher_that_is_replaced_in_a_moment_leaves_no_gap_and_splits_nothing() -> None:
    found = told(start(0), stand(1, BLOCKED), start(10.2, since=10.1), stand(10.3, BLOCKED), stand(12, WORKS), now=13)
    assert (course(found), found.gaps) == ([(1, 12, BLOCKED), (12, 13, WORKS)], ())


def test_one_that_had_rested_leaves_no_gap_either() -> None:
    assert told(start(0), stand(1, WORKS), stand(2, GOES), start(20, since=4, rested=True), now=21).gaps == ()


def test_a_machine_that_slept_makes_a_gap_and_then_things_go_on() -> None:
    found = told(start(0), stand(1, WORKS), lapse(20, since=10), now=30)
    assert course(found) == [(1, 10, WORKS), (10, 20, UNKNOWN), (20, 30, WORKS)]


def test_what_was_seen_on_waking_before_the_lapse_was_noted_does_not_reach_into_it() -> None:
    found = told(start(0), stand(1, WORKS), stand(20, WAITS), lapse(20.1, since=10), now=30)
    assert course(found) == [(1, 10, WORKS), (10, pytest.approx(20.1), UNKNOWN), (pytest.approx(20.1), 30, WAITS)]


def test_a_clock_that_was_set_back_takes_back_what_was_noted_for_later() -> None:
    found = told(start(0), stand(1, WORKS), stand(40, BLOCKED), stand(45, WORKS), stand(10, WAITS), now=30)
    assert course(found) == [(1, 10, WORKS), (10, 30, WAITS)]


def test_lines_of_the_future_are_cut_off_at_the_present() -> None:
    assert course(told(start(0), stand(1, WORKS), stand(90, WAITS), now=30)) == [(1, 30, WORKS)]


def test_a_light_that_was_on_before_it_was_told_was_not_seen_to_come_on() -> None:
    (known,) = told(start(0), stand(1, BLOCKED, since=at(-30), about=SHOP)).courses
    assert (known.spans[0].is_cut, known.about) == (True, SHOP)
    (seen,) = told(start(0), stand(1, BLOCKED, since=at(1), about=SHOP)).courses
    assert not seen.spans[0].is_cut


def test_the_history_begins_with_its_first_line() -> None:
    assert told(stand(3, WORKS), start(5, since=4)).since == at(3)
    assert told(stand(3, WORKS), start(5, since=4)).watched_since == at(5)
    assert told().since == 0.0


MINUTES = st.integers(0, 1440)
LINES = st.one_of(
    st.builds(stand, MINUTES, st.sampled_from([WORKS, BLOCKED, WAITS, GOES]), st.sampled_from("abc")),
    st.builds(start, MINUTES, st.none() | MINUTES, rested=st.booleans()),
    st.builds(lapse, MINUTES, MINUTES),
)


@given(st.lists(LINES, max_size=40), st.integers(0, 1500), st.integers(0, 1500))
def test_whatever_the_log_says_spans_follow_each_other_within_what_is_known(
    lines: list[Stand | Watching], now: int, seen: int
) -> None:
    found = told(*lines, now=now, seen=min(seen, now))
    for known in found.courses:
        assert all(span.begin < span.end for span in known.spans)
        assert all(one.end <= other.begin for one, other in pairwise(known.spans)), "they overlap"
        assert found.since <= known.spans[0].begin
        assert known.spans[-1].end <= found.until


@given(st.lists(LINES, max_size=40), st.integers(0, 1500), st.integers(0, 1500))
def test_whatever_the_log_says_a_gap_stays_a_gap(lines: list[Stand | Watching], now: int, seen: int) -> None:
    found = told(*lines, now=now, seen=min(seen, now))
    assert all(one[1] < other[0] for one, other in pairwise(found.gaps))
    for begin, end in found.gaps:
        inside = [span for one in found.courses for span in one.spans if span.begin < end and span.end > begin]
        assert {span.status for span in inside} <= {UNKNOWN}


def total(found: History) -> float:
    return sum(span.seconds for span in found.courses[0].spans)


@given(st.lists(st.builds(stand, MINUTES, st.sampled_from([WORKS, BLOCKED, WAITS])), min_size=1, max_size=20), MINUTES)
def test_the_spans_of_a_session_that_never_ends_add_up_to_the_whole_time(lines: list[Stand], slept: int) -> None:
    ordered = sorted(lines, key=lambda line: line.at)
    begin = ordered[0].at
    found = history([start(0), *ordered, lapse(1450, slept)], End(at(1500), at(1500)))
    assert total(found) == pytest.approx(at(1500) - begin)
