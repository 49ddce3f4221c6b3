"""Days and hours as the person's calendar has them: a day begins at midnight and may have 23 or 25 hours."""

from __future__ import annotations

import re
import time
from typing import NamedTuple

from statusbar.text.ages import DAY, HOUR, MINUTE

QUARTER_S = 15 * MINUTE  # every time zone is some quarters of an hour away from the next one
DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
SPAN = re.compile(r"(\d{1,4})([hdw])")
UNITS = {"h": HOUR, "d": DAY, "w": 7 * DAY}
TODAY, YESTERDAY = "today", "yesterday"


class Day(NamedTuple):
    begin: float
    end: float


def day(word: str, now: float) -> Day:
    """`today`, `yesterday` or a date such as 2026-11-17; ValueError for anything else."""
    year, month, date = _date(word, now)
    return Day(_midnight(year, month, date), _midnight(year, month, date + 1))


def since(word: str, now: float) -> float:
    """The same words, or how long ago: 12h, 7d, 2w."""
    if ago := SPAN.fullmatch(word):
        return now - int(ago[1]) * UNITS[ago[2]]
    return day(word, now).begin


def hours(begin: float, end: float) -> list[float]:
    """The full hours between two times, both included, as clocks showed them."""
    quarters = range(int(-(-begin // QUARTER_S)), int(end // QUARTER_S) + 1)
    return [quarter * QUARTER_S for quarter in quarters if time.localtime(quarter * QUARTER_S).tm_min == 0]


def _date(word: str, now: float) -> tuple[int, int, int]:
    if word in (TODAY, YESTERDAY):
        year, month, date = time.localtime(now)[:3]
        return year, month, date - (word == YESTERDAY)
    found = DATE.fullmatch(word)
    if not found:
        raise ValueError(word)
    wanted = int(found[1]), int(found[2]), int(found[3])
    # The calendar turns 30 February into 2 March.
    if not 1970 < wanted[0] < 3000 or time.localtime(_midnight(*wanted))[:3] != wanted:  # noqa: PLR2004
        raise ValueError(word)
    return wanted


def _midnight(year: int, month: int, date: int) -> float:
    """Or the first moment after it, where the clocks are put forward at midnight."""
    return time.mktime((year, month, date, 0, 0, 0, 0, 0, -1))
