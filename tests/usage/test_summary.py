"""What one session has spent today."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from support.spending import NOON, answer, prompt
from usage import count, ledger, prices
from usage.summary import today

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from support.spending import Person

DAY = 86400


def test_only_today_and_only_this_session_count(person: Person) -> None:
    person.writes("s", answer("old", 5, NOON - DAY), answer("a", 7), answer("b", 9))
    person.writes("s", answer("c", 11), agent="agent-1")
    person.writes("t", answer("d", 13))
    found = today(person.home, "s", NOON, person.env)
    assert found
    assert found.tokens.output == 27
    assert found.cost == prices.load(person.env).cost("claude-opus-5-5", found.tokens)
    assert found.currency == "USD"


def test_it_is_up_to_date_each_time(person: Person) -> None:
    person.writes("s", answer("a", 7))
    assert today(person.home, "s", NOON, person.env)
    person.writes("s", answer("b", 9))
    found = today(person.home, "s", NOON, person.env)
    assert found
    assert found.tokens.output == 16


def test_nothing_is_known_of_a_session_without_a_transcript(person: Person) -> None:
    assert today(person.home, "s", NOON, person.env) is None
    assert today(person.home, "../s", NOON, person.env) is None


def test_a_session_that_has_spent_nothing_today_has_spent_nothing(person: Person) -> None:
    person.writes("s", prompt(), answer("old", 5, NOON - DAY))
    found = today(person.home, "s", NOON, person.env)
    assert found
    assert (found.tokens.output, found.cost and found.cost.amount) == (0, Decimal())


def test_nothing_is_told_before_all_is_counted(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(count, "GLANCE", 1000)
    person.writes("s", *(answer(str(k), 1) for k in range(10)))
    told = [found.tokens.output if (found := today(person.home, "s", NOON, person.env)) else None for _ in range(6)]
    assert told == sorted(told, key=lambda one: one is not None)
    assert {None, 10} == set(told)


def test_the_context_is_what_the_latest_answer_of_the_session_itself_was_given(person: Person) -> None:
    spent = {"input_tokens": 3, "cache_read_input_tokens": 20, "cache_creation_input_tokens": 100, "output_tokens": 9}
    person.writes("s", answer("a"), answer("b", spent=spent))
    person.writes("s", answer("c"), agent="agent-1")
    found = today(person.home, "s", NOON, person.env)
    assert found
    assert found.context == 123
    person.writes("s", prompt())
    assert today(person.home, "s", NOON, person.env) == found


def test_nobody_waits_for_somebody_else_who_counts(person: Person) -> None:
    person.writes("s", answer("a", 7))
    with ledger.Ledger(person.home) as other, other.writing():
        assert today(person.home, "s", NOON, person.env) is None
    assert today(person.home, "s", NOON, person.env)


def test_it_goes_on_without_prices(person: Person) -> None:
    person.writes("s", answer("a", 7))
    own: Path = person.root / "state" / "prices.toml"
    own.parent.mkdir()
    own.write_text("garbage")
    found = today(person.home, "s", NOON, person.env)
    assert found
    assert (found.tokens.output, found.cost) == (7, None)


def test_what_a_fork_has_copied_counts_for_its_origin_once_that_was_counted(person: Person) -> None:
    person.writes("origin", prompt(NOON - 1), answer("a", 5))
    person.writes("fork", prompt(NOON + 1), answer("a", 5), answer("b", 7, NOON + 2))
    assert today(person.home, "origin", NOON, person.env)
    found = today(person.home, "fork", NOON, person.env)
    assert found
    assert found.tokens.output == 7
