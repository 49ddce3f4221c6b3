"""Local days, made up of quarters of an hour, and the day from which on tokens are wanted."""

from __future__ import annotations

import re
import time
from datetime import date, timedelta

from usage.owner import QUARTER_MS

UNKNOWN = "?"
QUARTER_S = QUARTER_MS // 1000
TODAY = "today"
MOST_DAYS = 36_500
_DAYS = re.compile(r"([0-9]{1,5})d")


def day(quarter: int) -> str:
    """The local day of it, as the person's time zone is now; 0 is a time that is not known."""
    if not quarter:
        return UNKNOWN
    return time.strftime("%Y-%m-%d", time.localtime(quarter * QUARTER_S))


def today(now: float) -> date:
    return date(*time.localtime(now)[:3])


def first_quarter(of: date) -> int:
    """At or after its local midnight."""
    began = time.mktime((of.year, of.month, of.day, 0, 0, 0, 0, 0, -1))
    return -(-int(began) // QUARTER_S)


def since(word: str, now: float) -> date:
    """`today`, `7d` (the last seven days, today included) or a date. Raises ValueError."""
    if word == TODAY:
        return today(now)
    if found := _DAYS.fullmatch(word):
        number = int(found[1])
        if not 0 < number <= MOST_DAYS:
            raise ValueError(word)
        return today(now) - timedelta(days=number - 1)
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", word):
        raise ValueError(word)
    return date.fromisoformat(word)
