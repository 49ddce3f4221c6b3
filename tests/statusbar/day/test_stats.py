"""The numbers of some days."""

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statusbar.day.blocks import Ended
from statusbar.day.history import History
from statusbar.day.log_lines import About
from statusbar.day.names import names
from statusbar.day.spans import Span
from statusbar.day.stats import Longest, Most, Project, Stats, at_once, quantile, stats
from support.days import BLOCKED, GOES, MINUTE, SHOP, WAITS, WORKS, at, lapse, stand, start, told

API = About("api", "/home/me/api")


def numbers(found: History, since: float = 0.0) -> Stats:
    return stats(found, names(found.courses, ()), since)


def test_the_time_to_answer_counts_answers_and_everything_else_apart() -> None:
    found = numbers(told(
        start(0),
        stand(1, BLOCKED, "a", about=SHOP), stand(2, WORKS, "a"), stand(10, BLOCKED, "a"), stand(13, WORKS, "a"),
        stand(20, BLOCKED, "b", about=About("migrate", "/home/me/api")), stand(25, GOES, "b"),
        stand(26, BLOCKED, "c", about=API), lapse(50, since=30), stand(51, WORKS, "c"),
        stand(55, BLOCKED, "d", about=API),
    ))  # fmt: skip
    assert found.median == 2 * MINUTE
    assert found.slow == pytest.approx(2.8 * MINUTE)
    assert found.ended == {Ended.ANSWERED: 2, Ended.SESSION_ENDED: 1, Ended.UNSEEN: 2, Ended.OPEN: 1}
    assert found.longest == Longest(5 * MINUTE, "api", "migrate", at(20))


def test_without_an_answer_there_is_no_median() -> None:
    found = numbers(told(start(0), stand(1, WORKS, about=SHOP)))
    assert (found.median, found.slow, found.longest) == (None, None, None)


def test_agents_at_once_are_counted_over_all_sessions() -> None:
    spans = [Span(0, 10, WORKS, 2), Span(5, 20, WORKS, 3), Span(10, 30, WORKS, 1), Span(12, 13, BLOCKED, 0)]
    assert at_once(spans) == Most(5, 5)
    assert at_once([]) == Most()


def test_an_agent_that_follows_another_is_not_beside_it() -> None:
    assert at_once([Span(0, 10, WORKS, 1), Span(10, 20, WORKS, 1)]) == Most(1, 0)


def test_each_project_has_its_times_and_the_busiest_comes_first() -> None:
    found = numbers(told(
        start(0),
        stand(0, WORKS, "a", about=API, running=3), stand(0, WORKS, "b", about=SHOP), stand(10, WAITS, "a"),
        stand(20, BLOCKED, "b"), stand(21, WORKS, "b"), stand(30, GOES, "a"), stand(31, GOES, "b"),
    ))  # fmt: skip
    assert found.projects == (
        Project("shop", 1, 30 * MINUTE, 0, 1 * MINUTE, 0, 1),
        Project("api", 1, 10 * MINUTE, 20 * MINUTE, 0, 0, 0),
    )
    assert found.worked == 60 * MINUTE, "three agents for ten minutes, and one for thirty"


def test_background_sessions_and_teammates_of_their_own_do_not_count_twice() -> None:
    mate = About("mate", "/home/me/shop", hidden=True)
    found = numbers(told(start(0), stand(0, BLOCKED, "a", about=SHOP), stand(0, BLOCKED, "b", about=mate), now=5))
    assert (found.ended[Ended.OPEN], found.projects[0].sessions) == (1, 1)


def test_only_what_happened_since_then_counts() -> None:
    lines = [stand(0, BLOCKED, about=SHOP), stand(9, WORKS), stand(30, BLOCKED), stand(31, WORKS)]
    found = numbers(told(start(0), *lines), since=at(20))
    assert (found.median, found.begin, found.ended[Ended.ANSWERED]) == (MINUTE, at(20), 1)
    assert found.projects[0].working == 39 * MINUTE


@given(st.lists(st.floats(0, 1e6), min_size=1))
def test_the_middle_is_the_median_and_the_slow_ones_are_beyond_it(values: list[float]) -> None:
    ordered = sorted(values)
    middle, slow = quantile(ordered, 0.5), quantile(ordered, 0.9)
    assert middle == pytest.approx(statistics.median(values))
    assert slow is not None
    assert middle is not None
    assert ordered[0] <= middle <= slow <= ordered[-1] or slow == pytest.approx(middle)
