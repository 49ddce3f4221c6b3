"""Two records of one answer, in either order."""

import pytest

from usage.message import NEVER, Message, digest, earliest
from usage.tokens import Tokens


@pytest.mark.parametrize(("one", "other", "found"), [(5, 7, 5), (7, 5, 5), (NEVER, 7, 7), (7, NEVER, 7)])
def test_an_answer_counts_for_its_oldest_time_that_is_known(one: int, other: int, found: int) -> None:
    assert earliest(one, other) == found


def test_figures_are_the_largest_of_both() -> None:
    one = Message(1, 7, "m", Tokens(1, 3, 100, read=5))
    other = Message(1, 5, "m", Tokens(1, 4, 1, searches=2))
    assert one.merged(other) == other.merged(one) == Message(1, 5, "m", Tokens(1, 4, 100, read=5, searches=2))


def test_other_names_have_another_digest_that_sqlite_can_keep() -> None:
    names = [("a", "b"), ("ab", ""), ("a",), ("", "ab"), ("\ud800",)]
    found = {digest(*each) for each in names}
    assert len(found) == len(names)
    assert all(-(1 << 63) <= one < 1 << 63 for one in found)
