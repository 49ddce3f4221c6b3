"""Days and hours as calendars have them."""

import time
from collections.abc import Iterator

import pytest

from statusbar.day import dates
from support.days import HOUR, NOON


@pytest.fixture
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def labels(day: dates.Day) -> list[str]:
    return [time.strftime("%H", time.localtime(at)) for at in dates.hours(*day)]


@pytest.mark.parametrize("zone", ["UTC"], indirect=True)
@pytest.mark.usefixtures("zone")
def test_a_day_is_named_by_its_date_or_by_a_word() -> None:
    today = dates.day("today", NOON)
    assert today == (NOON - 12 * HOUR, NOON + 12 * HOUR)
    assert dates.day("2020-09-13", NOON) == today
    assert dates.day("yesterday", NOON).end == today.begin
    assert dates.day("2026-12-31", NOON).end == dates.day("2027-01-01", NOON).begin


@pytest.mark.parametrize("word", ["", "2027-02-30", "2027-13-01", "15.1.2027", "9999-01-01", "0000-01-01", "7d", "١٢"])
def test_what_is_no_date_is_refused(word: str) -> None:
    with pytest.raises(ValueError, match=r"\A"):
        dates.day(word, NOON)


@pytest.mark.parametrize("zone", ["Europe/Berlin"], indirect=True)
@pytest.mark.usefixtures("zone")
def test_a_day_on_which_clocks_go_forward_has_23_hours_and_no_two_o_clock() -> None:
    day = dates.day("2027-03-28", NOON)
    assert day.end - day.begin == 23 * HOUR
    assert labels(day)[:4] == ["00", "01", "03", "04"]
    assert labels(day)[-2:] == ["23", "00"]


@pytest.mark.parametrize("zone", ["Europe/Berlin"], indirect=True)
@pytest.mark.usefixtures("zone")
def test_a_day_on_which_clocks_go_back_has_25_hours_and_two_o_clock_twice() -> None:
    day = dates.day("2026-10-25", NOON)
    assert day.end - day.begin == 25 * HOUR
    assert labels(day)[:5] == ["00", "01", "02", "02", "03"]


@pytest.mark.parametrize("zone", ["Africa/Cairo"], indirect=True)
@pytest.mark.usefixtures("zone")
def test_a_day_without_a_midnight_begins_with_its_first_hour() -> None:
    day = dates.day("2026-04-24", NOON)
    assert (day.end - day.begin, labels(day)[0]) == (23 * HOUR, "01")
    assert dates.day("2026-04-23", NOON).end == day.begin


@pytest.mark.parametrize("zone", ["Asia/Kathmandu"], indirect=True)
@pytest.mark.usefixtures("zone")
def test_hours_are_full_hours_where_the_zone_is_off_by_three_quarters_too() -> None:
    assert labels(dates.day("2020-09-13", NOON))[:3] == ["00", "01", "02"]


def test_how_long_ago_is_a_time_too() -> None:
    assert dates.since("12h", NOON) == NOON - 12 * HOUR
    assert dates.since("7d", NOON) == NOON - 7 * 24 * HOUR
    assert dates.since("2w", NOON) == NOON - 14 * 24 * HOUR
    assert dates.since("today", NOON) == dates.day("today", NOON).begin
    for word in ("7", "d", "-7d", "7 d", "99999d"):
        with pytest.raises(ValueError, match=r"\A"):
            dates.since(word, NOON)
