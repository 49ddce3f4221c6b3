"""The client dates its lines with the wall clock; somebody may set that at any moment."""

from __future__ import annotations

import pytest

from watcher.clock import SKEW_S, Clock

START, NOON = 1000.0, 1_800_000_000.0
AHEAD = NOON - START


class Watched(Clock):
    """A watcher's clock that looks at every second of a day in which somebody sets the wall clock."""

    def __init__(self, *sets: tuple[float, float]) -> None:
        """`sets`: at this second since boot, by so much."""
        super().__init__()
        self.offset, self.sets = AHEAD, sets
        for second in range(int(START), int(START) + 100):
            self.notice(self.ahead(second), second)

    def ahead(self, tick: float) -> float:
        return AHEAD + sum(by for at, by in self.sets if at <= tick)

    def said(self, tick: float) -> float:
        """What the client wrote down then."""
        return tick + self.ahead(tick)


@pytest.mark.parametrize("by", [-7200.0, -30.0, 30.0, 7200.0])
@pytest.mark.parametrize("written", [1001.0, 1048.5, 1049.9, 1050.1, 1051.5, 1099.0])
def test_a_line_is_dated_by_the_clock_that_it_was_written_with(by: float, written: float) -> None:
    clock = Watched((1050.0, by))
    read = max(written, 1050.0) + 1.0
    assert clock.since_boot(clock.said(written), read) == pytest.approx(written)


@pytest.mark.parametrize("back", [30.0, 30.5])
def test_a_line_of_before_is_not_taken_for_one_of_this_moment(back: float) -> None:
    """The clock says again what it said when the line was written, or will say so in a moment."""
    clock = Watched((1050.0, -back))
    clock.notice(clock.ahead(1050.4), 1050.4)
    assert clock.since_boot(clock.said(1021.0), 1050.4) == pytest.approx(1021.0)


@pytest.mark.parametrize("by", [-2.5, 2.5])
def test_a_clock_that_is_set_by_a_little_dates_no_line_worse_than_that(by: float) -> None:
    clock = Watched((1050.0, by))
    for written in (1046.0, 1048.5, 1049.9, 1050.1, 1051.5, 1054.0):
        assert abs(clock.since_boot(clock.said(written), max(written, 1050.0) + 1.0) - written) <= abs(by) + 0.01


def test_a_line_of_before_two_settings_is_dated_too() -> None:
    clock = Watched((1030.0, 600.0), (1060.0, -300.0))
    for written in (1010.0, 1045.0, 1080.0):
        assert clock.since_boot(clock.said(written), 1100.0) == pytest.approx(written)


def test_a_clock_that_drifts_is_followed_and_not_remembered() -> None:
    clock = Watched()
    for step in range(200):
        clock.notice(AHEAD + step * 0.02, 1100.0 + step)
    assert clock.offset == pytest.approx(AHEAD + 199 * 0.02)
    assert clock.since_boot(NOON, 1300.0) == NOON - clock.offset


def test_what_is_too_small_to_matter_leaves_the_distance_as_it_is() -> None:
    clock = Watched()
    clock.notice(AHEAD + 0.005, 1101.0)
    assert clock.offset == AHEAD


def test_a_time_that_no_known_clock_can_have_said_lies_in_the_future() -> None:
    clock = Watched((1050.0, -3600.0))
    assert clock.since_boot(NOON + 86_400.0, 1100.0) > 1100.0 + SKEW_S


def test_a_clock_that_is_set_again_and_again_is_remembered_in_part() -> None:
    clock = Watched(*((1000.0 + k, 50.0) for k in range(1, 90)))
    assert clock.since_boot(clock.said(1099.0), 1100.0) == pytest.approx(1099.0)


def test_the_real_clocks_are_read_with_each_tick() -> None:
    clock = Clock()
    now = clock.tick()
    assert clock.since_boot(clock.wall(now), now) == pytest.approx(now)
