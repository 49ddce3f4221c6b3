"""The sentences around a picture: what it shows, how long people were waited for, and what it does not know."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from contract.status import NEEDS_APPROVAL, WAITING, WORKING
from statusbar.day.spans import UNKNOWN
from statusbar.text.ages import lasting
from statusbar.text.symbols import LOOKS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statusbar.day.picture import Picture

STATES = (NEEDS_APPROVAL, WORKING, WAITING, UNKNOWN)
LISTED = 3  # so many gaps are told with their times
SAME_S = 60.0
APART = 1.1  # two times that differ by less need not both be told


def word(status: str) -> str:
    return LOOKS[status].word if status in LOOKS else "unknown"


def title(picture: Picture) -> str:
    return time.strftime("%A, %d %B %Y", time.localtime(picture.day.begin))


def clock(at: float) -> str:
    return time.strftime("%H:%M", time.localtime(at))


def moment(at: float) -> str:
    return time.strftime("%a %d %b %H:%M", time.localtime(at))


def summary(picture: Picture) -> str:
    waited = picture.waited
    if not waited.blocks:
        seen = ", as far as somebody watched" if picture.unwatched else ""
        return f"You were waited for: never{seen}."
    number = "1 block" if waited.blocks == 1 else f"{waited.blocks} blocks"
    total, longest = lasting(waited.seconds), lasting(waited.longest)
    most = f", the longest {longest}" if waited.blocks > 1 else ""
    overlap = waited.seconds > waited.at_least_one * APART
    at_once = f" At least one agent was blocked for {lasting(waited.at_least_one)}." if overlap else ""
    return f"You were waited for: {total} in {number}{most} ({waited.project}, {clock(waited.at)}).{at_once}"


def left_out(picture: Picture) -> Iterator[str]:
    """For who can ask for it."""
    if picture.idle:
        number, them = ("1 session", "it") if picture.idle == 1 else (f"{picture.idle} sessions", "them")
        yield f"{number} only waited, as far as is known: --all shows {them}."


def notes(picture: Picture) -> Iterator[str]:
    """What nobody knows."""
    if picture.since > picture.day.begin:
        yield f"The log begins {moment(picture.since)}: nothing is known of the time before."
    gaps = [gap for gap in picture.unwatched if gap[1] > picture.since]
    if gaps:
        times = ", ".join(f"{clock(begin)} to {clock(end)}" for begin, end in gaps[:LISTED])
        more = f" and {len(gaps) - LISTED} more" if len(gaps) > LISTED else ""
        yield f"Not watched for {lasting(sum(end - begin for begin, end in gaps))}: {times}{more}."
    if not picture.noted_since or picture.noted_since > max(picture.day.begin, picture.since) + SAME_S:
        until = f"before {moment(picture.noted_since)}" if picture.noted_since else "so far"
        if picture.since and picture.since < picture.day.end:
            yield f"An older version wrote the log {until}, and did not note when nobody watched."
