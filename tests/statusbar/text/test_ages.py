"""Lengths of time in words."""

import pytest

from statusbar.text.ages import lasting


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0 s"), (59.4, "59 s"), (59.6, "1 min"), (89, "1 min"), (91, "2 min"), (3569, "59 min"), (3590, "1 h"),
        (3600, "1 h"), (7500, "2 h 05 min"), (90_000, "25 h"),
    ],
)  # fmt: skip
def test_a_length_of_time_is_said_as_a_person_says_it(seconds: float, words: str) -> None:
    assert lasting(seconds) == words


@pytest.mark.parametrize(
    ("seconds", "words"), [(72, "1 min 12 s"), (60, "1 min"), (3599, "59 min 59 s"), (3700, "1 h 02 min")]
)
def test_where_seconds_matter_they_are_said(seconds: float, words: str) -> None:
    assert lasting(seconds, fine=True) == words
