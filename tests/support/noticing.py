"""Statuses that are worth a notification, and what is said of them."""

from __future__ import annotations

from typing import Any

from contract.status import NEEDS_APPROVAL, WAITING, WORKING, SessionStatus
from statusbar.notifications.rules import Memory, Notice, due
from statusbar.settings.settings import Settings
from support.showing import NOW, agent, session

ON = Settings()
ASKS = session("a", NEEDS_APPROVAL, agents=(agent("main", NEEDS_APPROVAL, detail="Bash: npm test", since=NOW),))
WORKS = session("a", WORKING, since=NOW - 300)
WAITS = session("a", WAITING, since=NOW, rule="turn-over")
OTHERS = tuple(one._replace(session_id="b") for one in (ASKS, WORKS, WAITS))
NOTICE = Notice("a", NEEDS_APPROVAL, NOW, "a needs approval", "Bash: npm test", "main")


def nobody(_session: SessionStatus) -> bool:
    return False


def said(
    *looks: tuple[SessionStatus, ...], settings: Settings = ON, now: float = NOW, seen: Any = nobody
) -> list[Notice]:
    """What is said at these looks, one after the other; at the first one never anything."""
    memory, found = due(Memory(), (), settings, now, seen)
    for sessions in looks:
        memory, notices = due(memory, sessions, settings, now, seen)
        found += notices
    return found


def many(number: int, state: str = NEEDS_APPROVAL) -> list[Notice]:
    return [Notice(f"s{k}", state, NOW, f"s{k} asks", "x") for k in range(number)]
