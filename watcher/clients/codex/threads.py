"""What the daemon says of its threads, in our own words. Pure.

A session is a thread that nobody started, with those that it has started below it. The daemon tells of each; we keep
one word for all of them, as a report is on a whole session: somebody is asked, or somebody works, or nobody does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from contract.clean import clean
from contract.paths import MAIN
from watcher.rules.vocabulary import INPUT, PERMISSION

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST_ID, LONGEST_PATH, LONGEST_NAME = 64, 4096, 120
DEEPEST = 8
TERMINAL = "codex-tui"
LATEST = 1e11
BUSY, IDLE, WAITING = "busy", "idle", "waiting"
ASKS = {"waitingOnApproval": PERMISSION, "waitingOnUserInput": INPUT}
RESTS = ("idle", "systemError")
ORDER = (WAITING, BUSY, IDLE)


class Standing(NamedTuple):
    """How a thread stands."""

    status: str
    waiting_for: str = ""
    asked: tuple[str, ...] = ()  # of a session: who of its agents is


class Thread(NamedTuple):
    id: str
    standing: Standing
    parent: str = ""
    cwd: str = ""
    name: str = ""
    path: str = ""  # of its rollout
    created: float = 0.0  # seconds, wall clock
    is_of_a_terminal: bool = True  # not of another program that has its sessions in the same daemon


def threads(told: Iterable[dict[str, Any]]) -> list[Thread]:
    """Those that are loaded and no helpers of the client's own, such as the makers of titles."""
    found = (_thread(one) for one in told if one.get("ephemeral") is not True)
    return [one for one in found if one]


def sessions(found: Iterable[Thread]) -> list[Thread]:
    """The threads that nobody started, each standing as the most urgent of its own."""
    known = {one.id: one for one in found}
    tops = {one.id: [one] for one in known.values() if not one.parent}
    for one in known.values():
        top = _top(one, known)
        if one.parent and top in tops:
            tops[top].append(one)
    return [known[top]._replace(standing=_standing_of(family)) for top, family in tops.items()]


def _top(thread: Thread, known: dict[str, Thread]) -> str:
    for _ in range(DEEPEST):
        if not thread.parent or thread.parent not in known:
            break
        thread = known[thread.parent]
    return thread.id


def _standing_of(family: list[Thread]) -> Standing:
    """The most urgent. The first of them is the main agent."""
    asked = [MAIN if one is family[0] else one.id for one in family if one.standing.status == WAITING]
    most_urgent = min((one.standing for one in family), key=lambda standing: ORDER.index(standing.status))
    return most_urgent._replace(asked=tuple(sorted(asked)))


def _thread(told: dict[str, Any]) -> Thread | None:
    id_, standing = _text(told.get("id"), LONGEST_ID), _standing(told.get("status"))
    if not id_ or standing is None:
        return None
    return Thread(
        id_,
        standing,
        parent=_text(told.get("parentThreadId"), LONGEST_ID),
        cwd=_text(told.get("cwd"), LONGEST_PATH),
        name=clean(told.get("name"), LONGEST_NAME),
        path=_text(told.get("path"), LONGEST_PATH),
        is_of_a_terminal=told.get("originator") in (None, TERMINAL),
        created=_time(told.get("createdAt")),
    )


def _standing(told: Any) -> Standing | None:
    """None for one that no process runs, and for words that we do not know: then only hooks tell of it."""
    kind = told.get("type") if isinstance(told, dict) else None
    if kind in RESTS:
        return Standing(IDLE)
    if kind != "active":
        return None
    flags = told.get("activeFlags")
    asked = [ASKS[flag] for flag in flags if isinstance(flag, str) and flag in ASKS] if isinstance(flags, list) else []
    return Standing(WAITING, asked[0]) if asked else Standing(BUSY)


def _time(raw: Any) -> float:
    return float(raw) if type(raw) in (int, float) and 0 < raw < LATEST else 0.0


def _text(raw: Any, limit: int) -> str:
    """'' where it could not be written down again."""
    return raw if isinstance(raw, str) and len(raw) <= limit and raw.isprintable() else ""
