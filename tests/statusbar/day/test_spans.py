"""Spans and gaps."""

from hypothesis import given
from hypothesis import strategies as st

from statusbar.day.spans import UNKNOWN, Span, clipped, merged, with_gaps

PAIRS = st.tuples(st.integers(0, 50), st.integers(1, 20)).map(lambda pair: (float(pair[0]), float(sum(pair))))


def test_a_gap_inside_a_span_cuts_it_in_three_and_its_second_half_was_not_seen_to_begin() -> None:
    assert with_gaps([Span(0, 10, "working", 2)], [(3, 5)]) == (
        Span(0, 3, "working", 2),
        Span(3, 5, UNKNOWN),
        Span(5, 10, "working", 2, is_cut=True),
    )


def test_equal_neighbours_become_one_span() -> None:
    assert with_gaps([Span(0, 4, "working", 1), Span(4, 9, "working", 1)], []) == (Span(0, 9, "working", 1),)


def test_only_what_lies_between_two_times_is_kept() -> None:
    spans = [Span(0, 4, "working"), Span(4, 9, "waiting"), Span(12, 20, "working")]
    assert clipped(spans, 2, 15) == (Span(2, 4, "working"), Span(4, 9, "waiting"), Span(12, 15, "working"))
    assert clipped(spans, 5, 6) == (Span(5, 6, "waiting"),)
    assert clipped(spans, 9, 12) == ()


@given(st.lists(PAIRS))
def test_merged_gaps_are_in_order_apart_and_cover_the_same(gaps: list[tuple[float, float]]) -> None:
    found = merged(gaps)
    seconds = {moment for begin, end in gaps for moment in range(int(begin), int(end))}
    assert {moment for begin, end in found for moment in range(int(begin), int(end))} == seconds
    assert sum(end - begin for begin, end in found) == len(seconds)


@given(st.lists(PAIRS), st.lists(st.integers(1, 9), min_size=1))
def test_gaps_neither_lengthen_nor_shorten_what_is_known(gaps: list[tuple[float, float]], lengths: list[int]) -> None:
    spans, at = [], 0.0
    for number, length in enumerate(lengths):
        spans.append(Span(at, at + length, ("working", "waiting")[number % 2]))
        at += length
    found = with_gaps(spans, merged(gaps))
    assert sum(span.seconds for span in found) == at
    unknown = sum(span.seconds for span in found if span.status == UNKNOWN)
    assert unknown == sum(max(min(end, at) - begin, 0) for begin, end in merged(gaps))
