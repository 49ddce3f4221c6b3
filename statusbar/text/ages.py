"""How long ago something was, in a few characters."""

from __future__ import annotations

import time

MINUTE, HOUR, DAY = 60, 3600, 86400
UNITS = ((DAY, "d"), (HOUR, "h"), (MINUTE, "m"))
LONGEST = 1000 * DAY


def moment(at: float) -> float:
    """The time as a finite number; 0 for NaN and for more than a float can hold."""
    try:
        seconds = float(at)
    except OverflowError:
        return 0.0
    return seconds if abs(seconds) < float("inf") else 0.0


def elapsed(now: float, at: float) -> float | None:
    """The seconds since then, 0 for a time in the future; None for an impossible time."""
    seconds = now - moment(at)
    return max(seconds, 0.0) if abs(seconds) < LONGEST else None


def age(seconds: float | None) -> str:
    """'now' below a minute, then '4 m', '2 h', '3 d'; '' if unknown."""
    if seconds is None:
        return ""
    for unit, letter in UNITS:
        if seconds >= unit:
            return f"{int(seconds // unit)} {letter}"
    return "now"


def fine_age(seconds: float | None) -> str:
    """The same, with seconds below a minute."""
    if seconds is not None and seconds < MINUTE:
        return f"{int(seconds)} s"
    return age(seconds)


def lasting(seconds: float, *, fine: bool = False) -> str:
    """A length of time: '40 s', '4 min' (if `fine`, '4 min 05 s'), '2 h 05 min'; hours are not put into days."""
    whole = round(seconds)
    if whole < MINUTE:
        return f"{whole} s"
    if fine and whole < HOUR and whole % MINUTE:
        return f"{whole // MINUTE} min {whole % MINUTE:02} s"
    minutes = round(seconds / MINUTE)
    if minutes < HOUR // MINUTE:
        return f"{minutes} min"
    hours, rest = divmod(minutes, HOUR // MINUTE)
    return f"{hours} h {rest:02} min" if rest else f"{hours} h"


def clock(at: float, now: float) -> str:
    """The time of day, with the date if it was not today; '' for an impossible time."""
    if not moment(at) or elapsed(now, at) is None:
        return ""
    then, today = time.localtime(moment(at)), time.localtime(now)
    return time.strftime("%H:%M" if then[:3] == today[:3] else "%d %b %H:%M", then)


def until_older(seconds: float | None) -> float:
    """How long the text for this age stays the same."""
    if seconds is None:
        return LONGEST
    unit = next((unit for unit, _ in UNITS if seconds >= unit), MINUTE)
    return unit - seconds % unit


def until_finely_older(seconds: float | None) -> float:
    """The same for `fine_age`."""
    return 1 - seconds % 1 if seconds is not None and seconds < MINUTE else until_older(seconds)
