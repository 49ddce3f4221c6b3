"""Whether an agent that is not there any more was there once: the audit and the observations say so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agency import audit
from agency.outcome import ALREADY_GONE
from contract import facts, paths
from contract.life import ENDED
from processes.process import Proc
from statusbar.model import observations

if TYPE_CHECKING:
    from collections.abc import Iterator

ENDS = (*ENDED, "gone")  # which is what the first versions of the watcher wrote
SHORTEST = 8  # of the beginning of an id: less would fit too many that have ended


def session_of(home: str, word: str) -> str:
    """The id of the session that has ended and was meant by this word, the newest one; '' if none is known."""
    found = [id_ for id_, name in _ended(home) if word in (id_, name) or _begins(id_, word)]
    return found[-1] if found else ""


def left_of(home: str, session: str, place: tuple[str, str, str]) -> tuple[Proc, dict[int, str]] | None:
    """The client that was ended last in this session, and what ran on below it then; None if nothing did.

    Only what was noted at this place: after a restart of the machine the pids mean others.
    """
    ends = [one for one in audit.entries(home) if one["target"].get("session") == session and one.get("left")]
    if not ends or ends[-1].get("place") != list(place):
        return None
    target = ends[-1]["target"]
    pid, start = facts.number(target.get("pid")), facts.text(target.get("start"))
    return Proc(pid, 0, start, 0.0, ""), dict(_identities(ends[-1]["left"]))


def _identities(raw: Any) -> Iterator[tuple[int, str]]:
    for one in raw if isinstance(raw, list) else ():
        if isinstance(one, dict) and facts.number(one.get("pid")) > 0 and facts.text(one.get("start")):
            yield one["pid"], one["start"]


def _begins(id_: str, word: str) -> bool:
    return len(word) >= SHORTEST and id_.startswith(word)


def _ended(home: str) -> Iterator[tuple[str, str]]:
    """Ids with names, as far as there are any."""
    for one in observations.entries(home):
        if (one.get("kind"), one.get("agent")) == ("agent_process_changed", paths.MAIN) and one.get("to") in ENDS:
            yield str(one.get("session")), ""
    for one in audit.entries(home):
        if one.get("outcome") in ("ended", ALREADY_GONE):
            yield str(one["target"].get("session")), str(one["target"].get("name"))
