"""What a session has used today, beside the list: counted for real, in a thread of its own."""

from __future__ import annotations

import time
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from statusbar.top.spending import Spending, worded
from support.patience import until
from support.showing import session
from support.spending import Person, answer
from usage.prices import Cost
from usage.summary import Spent
from usage.tokens import Tokens

if TYPE_CHECKING:
    from pathlib import Path

USED = Tokens(messages=2, input=1000, output=234, written=0, read=1_000_000)


@pytest.mark.parametrize(
    ("spent", "words"),
    [
        (None, ""),
        (Spent(Tokens(), Cost(Decimal()), "USD", 0), ""),
        (Spent(USED, None, "", 0), "1,001,234 tokens"),
        (Spent(USED, Cost(Decimal(), frozenset({"my-model"})), "USD", 0), "1,001,234 tokens"),
        (Spent(USED, Cost(Decimal("12.345")), "USD", 0), "1,001,234 tokens, 12.34 USD at API prices"),
        (Spent(USED, Cost(Decimal(3), frozenset({"x"})), "USD", 0), "1,001,234 tokens, 3.00+ USD at API prices"),
    ],
)
def test_what_is_not_known_is_left_out(spent: Spent | None, words: str) -> None:
    assert worded(spent) == words


def test_a_session_is_counted_while_nobody_waits(tmp_path: Path) -> None:
    person = Person(tmp_path)
    (tmp_path / "state").mkdir(mode=0o700)
    person.writes("s", answer("a", 7, time.time()))
    spending, one = Spending(person.home, person.env), session("s")
    assert spending(one) == "", "it is counted now, and told with the next picture"
    until(lambda: " tokens" in spending(one), "the count")


def test_who_has_no_transcript_has_used_nothing_that_is_known(tmp_path: Path) -> None:
    spending = Spending(str(tmp_path / "nowhere"), {"HOME": str(tmp_path)})
    assert spending(session("s")) == ""
    assert spending._counting
    spending._counting.join()
    assert spending(session("s")) == ""
