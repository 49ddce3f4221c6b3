"""Logs of made-up days, as a watcher writes them."""

from __future__ import annotations

from typing import Any

from contract.observed import GONE
from contract.status import NEEDS_APPROVAL, WAITING, WORKING
from statusbar.day.history import End, History, history
from statusbar.day.lines import About, Stand, Watching, records

NOON = 1_800_014_400.0  # Fri 15 Jan 2027, 12:00 UTC
HOUR, MINUTE = 3600.0, 60.0
BLOCKED, WORKS, WAITS, GOES = NEEDS_APPROVAL, WORKING, WAITING, GONE
SHOP = About("checkout", "/home/me/shop")


def at(minutes: float) -> float:
    return NOON + minutes * MINUTE


def stand(minutes: float, status: str, session: str = "s", **more: Any) -> Stand:
    return Stand(at(minutes), session, status, **{"running": int(status == WORKING), **more})


def start(minutes: float, since: float | None = None, *, rested: bool = False) -> Watching:
    return Watching(at(minutes), 0.0 if since is None else at(since), "start", rested)


def lapse(minutes: float, since: float) -> Watching:
    return Watching(at(minutes), at(since), "lapse")


def told(*lines: Stand | Watching, now: float = 60, seen: float | None = None, rested: bool = False) -> History:
    """As it is known `now` minutes after noon; `seen`: until when a watcher looked, if it does not look now."""
    return history(lines, End(at(now), at(now if seen is None else seen), rested))


def course(found: History, session: str = "s") -> list[tuple[float, float, str]]:
    """In minutes after noon."""
    (known,) = [one for one in found.courses if one.session == session]
    return [((span.begin - NOON) / MINUTE, (span.end - NOON) / MINUTE, span.status) for span in known.spans]


def entry(minutes: float, kind: str, session: str = "s", **more: Any) -> dict[str, Any]:
    return {"v": 1, "at": at(minutes), "kind": kind, "session": session, "agent": "", "by": "some-rule", **more}


def read(*entries: dict[str, Any], now: float = 60) -> History:
    return history(records(entries), End(at(now), at(now)))
