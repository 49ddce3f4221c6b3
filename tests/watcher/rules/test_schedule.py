"""When a cron line fires next."""

from datetime import datetime

import pytest

from watcher.rules.schedule import next_time

NOW = datetime(2026, 11, 16, 13, 59, 30)  # noqa: DTZ001 - a Monday, local time


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("5 14 * * *", "11-16 14:05"),
        ("*/5 * * * *", "11-16 14:00"),
        ("59 13 * * *", "11-17 13:59"),
        ("0 9 * * 1-5", "11-17 09:00"),
        ("0 9 * * 0", "11-22 09:00"),
        ("0 9 * * 7", "11-22 09:00"),
        ("30 8 1 * *", "12-01 08:30"),
        ("0 0 13 * 5", "11-20 00:00"),
        ("0,30 12-15/2 * * *", "11-16 14:00"),
        ("0 0 29 2 *", None),
        ("0 0 30 2 *", None),
        ("0 0 */2 * 1", "11-17 00:00"),
        ("0 0 20 * */2", "11-17 00:00"),
        ("5/20 * * * *", "11-16 14:05"),
    ],
)
def test_the_next_time_is_the_first_that_fits(line: str, expected: str | None) -> None:
    found = next_time(line, NOW)
    assert (f"{found:%m-%d %H:%M}" if found else None) == expected


@pytest.mark.parametrize(
    "line",
    [
        "",
        "* * * *",
        "61 * * * *",
        "a b c d e",
        "*/0 * * * *",
        "5-1 * * * *",
        "* * * * * *",
        "-1 * * * *",
        f"* * * * {'7' * 5000}",
    ],
)
def test_what_is_no_cron_line_has_no_next_time(line: str) -> None:
    assert next_time(line, NOW) is None
