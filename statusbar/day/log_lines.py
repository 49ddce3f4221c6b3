"""The lines of observations.jsonl as far as a day is drawn from them. Whatever is no such line is left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from contract.observed import GONE, LAPSE, SESSION, START, WATCHING
from contract.status import STATES
from statusbar.day.older_lines import OlderLines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LATEST = 1e11  # no calendar of ours goes further
MOST = 10_000  # agents in one session


class About(NamedTuple):
    name: str = ""
    cwd: str = ""
    hidden: bool = False


class Stand(NamedTuple):
    """From this moment on a session stands so."""

    at: float
    session: str
    status: str  # or gone
    running: int = 0  # agents at work
    about: About | None = None  # None: as before
    since: float = 0.0  # when the light came on; 0 if that is this moment


class Watching(NamedTuple):
    """Between `since` and this moment nobody watched; `since` is 0 if the last line is the last that is known."""

    at: float
    since: float
    by: str
    rested: bool = False  # nothing ran when the watching ended


def records(entries: Iterable[dict[str, Any]]) -> Iterator[Stand | Watching]:
    """What older versions wrote about agents counts up to the first line of a watcher that tells of sessions."""
    older: OlderLines | None = OlderLines()
    for entry in entries:
        at = _time(entry.get("at"))
        if not at:
            continue
        if entry.get("kind") == WATCHING:
            older = None
            yield _watching(entry, at)
        elif entry.get("kind") == SESSION:
            yield from _stand(entry, at)
        elif older and (seen := older.take(entry)):
            yield Stand(at, *seen)


def _watching(entry: dict[str, Any], at: float) -> Watching:
    by = entry.get("by")
    return Watching(at, _time(entry.get("since")), by if by in (START, LAPSE) else "", entry.get("rested") is True)


def _stand(entry: dict[str, Any], at: float) -> Iterator[Stand]:
    session, status, running = entry.get("session"), entry.get("to"), entry.get("running")
    if isinstance(session, str) and session and status in (*STATES, GONE):
        count = running if type(running) is int and 0 <= running <= MOST else 0
        yield Stand(at, session, status, count, _about(entry), _time(entry.get("since")))


def _about(entry: dict[str, Any]) -> About | None:
    name, cwd = entry.get("name"), entry.get("cwd")
    if not isinstance(name, str) or not isinstance(cwd, str):
        return None
    return About(name, cwd, entry.get("hidden") is True)


def _time(raw: Any) -> float:
    """0 for one that cannot be; NaN is none either."""
    return float(raw) if isinstance(raw, int | float) and 0 < raw < LATEST else 0.0
