"""When a cron line fires next."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

FIELDS = 5
FARTHEST = timedelta(days=366)


def next_time(schedule: str, after: datetime) -> datetime | None:
    """The first full minute after this moment, in the same local time; None for what is no cron line."""
    from cronsim import CronSim, CronSimError  # noqa: PLC0415 - few agents wake by themselves

    words = schedule.split()
    if len(words) != FIELDS:  # a sixth would be seconds
        return None
    try:
        time = next(CronSim(" ".join(_either_day(words)), after), None)
    except (CronSimError, ValueError):  # ValueError: a number of thousands of digits
        return None
    return time if time and time - after < FARTHEST else None


def _either_day(words: list[str]) -> list[str]:
    """Where both days are restricted, either one will do. */2 restricts too, though cronsim, as Debian, says no."""
    minute, hour, day, month, weekday = words
    return [minute, hour, day.replace("*/", "1-31/"), month, weekday.replace("*/", "0-6/")]
