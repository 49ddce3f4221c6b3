"""Logs of made-up days, as a watcher writes them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from contract import paths, store
from contract.observed import GONE
from contract.status import NEEDS_APPROVAL, RESTING, WAITING, WORKING, Heartbeat, encode
from statusbar.day.history import End, History, history
from statusbar.day.log_lines import About, Stand, Watching, records

if TYPE_CHECKING:
    from pathlib import Path

NOON = 1_599_998_400.0  # Sun 13 Sep 2020, 12:00 UTC
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


ABOUT: dict[str, Any] = {"name": "checkout", "cwd": "/home/me/shop", "hidden": False, "since": NOON}
LINES = (
    entry(-1, "watching", "", by="start", since=0.0, rested=False),
    entry(0, "session", to="working", running=1, **ABOUT),
    entry(10, "session", to="needs_approval", running=0),
    entry(22, "session", to="working", running=1),
    entry(40, "session", to="gone", running=0),
)


def day_home(home: Path) -> Path:
    """A state folder with the log of a day of the past, and the last words of a watcher that had nobody left."""
    put_log(home, *LINES)
    beat = Heartbeat(1, "", "0", at(60), mode=RESTING)
    store.replace(paths.heartbeat(str(home)), encode(beat))
    return home


def put_log(home: Path, *lines: dict[str, Any] | str, name: str = "observations.jsonl") -> None:
    store.private_folder(str(home))
    with (home / name).open("a") as file:
        file.writelines(line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines)
