"""What one check says."""

from __future__ import annotations

import pytest

from installer.doctor import check


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(-3, "0 s"), (59.9, "59 s"), (60, "1 m"), (117, "1 m"), (3599, "59 m"), (7200, "2 h"), (86400 * 3, "3 d")],
)
def test_an_age_has_the_unit_that_fits(seconds: float, words: str) -> None:
    assert check.age(seconds) == words
