"""When a cron line fires next."""

from __future__ import annotations

from datetime import datetime, timedelta

RANGES = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 7))
FARTHEST = timedelta(days=366)


def next_time(schedule: str, after: datetime) -> datetime | None:
    """The first full minute after this moment, in the same local time; None for what is no cron line."""
    words = schedule.split()
    if len(words) != len(RANGES):
        return None
    try:
        minutes, hours, days, months, weekdays = (_field(w, *r) for w, r in zip(words, RANGES, strict=True))
    except ValueError:
        return None
    moment = after.replace(second=0, microsecond=0) + timedelta(minutes=1)
    while moment - after < FARTHEST:
        if moment.month not in months or not _day_fits(moment, words, days, weekdays):
            moment = (moment + timedelta(days=1)).replace(hour=0, minute=0)
        elif moment.hour not in hours:
            moment = (moment + timedelta(hours=1)).replace(minute=0)
        elif moment.minute not in minutes:
            moment += timedelta(minutes=1)
        else:
            return moment
    return None


def _day_fits(moment: datetime, words: list[str], days: set[int], weekdays: set[int]) -> bool:
    """Where both days are restricted, either one will do."""
    by_date, by_weekday = moment.day in days, moment.isoweekday() % 7 in {day % 7 for day in weekdays}
    return by_date or by_weekday if words[2] != "*" and words[4] != "*" else by_date and by_weekday


def _field(word: str, low: int, high: int) -> set[int]:
    found: set[int] = set()
    for part in word.split(","):
        span, _, step = part.partition("/")
        first, _, last = span.partition("-")
        begin = low if first == "*" else int(first)
        end = int(last) if last else high if first == "*" or step else begin
        if not low <= begin <= end <= high or (step and int(step) < 1):
            raise ValueError(word)
        found.update(range(begin, end + 1, int(step or 1)))
    return found
