"""Local days."""

from __future__ import annotations

import time
from datetime import date
from typing import TYPE_CHECKING

import pytest

from support.spending import NOON, answer, recount
from usage import days

if TYPE_CHECKING:
    from collections.abc import Iterator

    from support.spending import Person

ZONES = ("UTC", "Asia/Kathmandu", "America/St_Johns", "Pacific/Chatham", "Pacific/Kiritimati", "America/Los_Angeles")


@pytest.fixture(params=ZONES)
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield request.param
    monkeypatch.undo()
    time.tzset()


def test_days_are_right_in_every_time_zone_also_if_it_was_another_when_they_were_counted(
    zone: str, person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = [answer(str(k), k, NOON + k * 1000) for k in range(200)]
    person.writes("s", *records)
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    person.looks()
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    assert person.looks() == recount(person.contents())


def test_a_day_begins_at_its_local_midnight(zone: str) -> None:
    assert zone
    first = days.first_quarter(date(2026, 11, 17))
    assert (days.day(first - 1), days.day(first)) == ("2026-11-16", "2026-11-17")


@pytest.mark.parametrize(
    ("word", "expected"),
    [("today", "2026-11-17"), ("1d", "2026-11-17"), ("7d", "2026-11-11"), ("2026-01-31", "2026-01-31")],
)
def test_since(word: str, expected: str) -> None:
    assert days.since(word, NOON).isoformat() == expected


@pytest.mark.parametrize("word", ["", "0d", "-1d", "7", "d", "99999d", "yesterday", "2026-13-01", "2026-1-1", "1٣d"])
def test_what_is_no_day_is_refused(word: str) -> None:
    with pytest.raises(ValueError, match=r"|month"):
        days.since(word, NOON)
