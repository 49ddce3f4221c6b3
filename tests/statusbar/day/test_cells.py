"""Spans as cells."""

from hypothesis import given
from hypothesis import strategies as st

from contract.status import NEEDS_APPROVAL, WAITING, WORKING
from statusbar.day.cells import NOTHING, PART, cells, runs
from statusbar.day.spans import UNKNOWN, Span


def test_a_cell_shows_what_took_most_of_it() -> None:
    spans = [Span(0, 14, WORKING), Span(14, 30, WAITING), Span(30, 36, UNKNOWN), Span(36, 40, WAITING)]
    assert cells(spans, 0, 60, 6) == [WORKING, WAITING, WAITING, UNKNOWN, NOTHING, NOTHING]


def test_a_block_is_shown_however_short_it_was() -> None:
    spans = [
        Span(0, 13, WORKING),
        Span(13, 13.5, NEEDS_APPROVAL),
        Span(13.5, 21, WORKING),
        Span(21, 30, NEEDS_APPROVAL),
    ]
    assert cells(spans, 0, 30, 3) == [WORKING, PART, NEEDS_APPROVAL]


def test_a_gap_that_took_as_long_as_the_calm_beside_it_is_a_gap() -> None:
    assert cells([Span(0, 5, WAITING), Span(5, 10, UNKNOWN)], 0, 10, 1) == [UNKNOWN]


def test_what_lies_outside_is_left_out() -> None:
    assert cells([Span(-100, -1, WORKING), Span(50, 90, WORKING)], 0, 40, 4) == [NOTHING] * 4
    assert cells([Span(-100, 100, WORKING)], 0, 40, 4) == [WORKING] * 4


def test_equal_neighbours_are_drawn_as_one() -> None:
    assert list(runs([WORKING, WORKING, NOTHING, WORKING])) == [(WORKING, 0, 2), (NOTHING, 2, 3), (WORKING, 3, 4)]


@given(st.floats(0, 1e6), st.floats(0.001, 1e5), st.integers(1, 200))
def test_whatever_the_numbers_a_span_over_everything_fills_every_cell(begin: float, length: float, number: int) -> None:
    end = begin + length
    assert cells([Span(begin, end, WORKING)], begin, end, number) == [WORKING] * number
