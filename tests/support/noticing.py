"""Statuses that are worth a notification, and what is said of them."""

from __future__ import annotations

import select
import threading
from typing import TYPE_CHECKING, Any

from contract import store
from contract.status import NEEDS_APPROVAL, WAITING, WORKING, SessionStatus
from statusbar.notifications.notify import Notifier
from statusbar.notifications.rules import SETTLE_S, Memory, Notice, due
from statusbar.settings.settings import Settings
from support.patience import PATIENCE_S, until
from support.showing import NOW, agent, session, statuses

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ON = Settings()
ASKS = session("a", NEEDS_APPROVAL, agents=(agent("main", NEEDS_APPROVAL, detail="Bash: npm test", since=NOW),))
LATER = ASKS._replace(agents=(ASKS.agents[0]._replace(since=NOW + 5, detail="Bash: ls"),))
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


class Person:
    """Looks at their agents, one look after the other, and remembers where they were taken and what they were told."""

    def __init__(self, home: Path, address: str, ending_s: float = PATIENCE_S) -> None:
        store.private_folder(str(home))
        self.went: list[str] = []
        self.told: list[str] = []
        self.slow = threading.Event()
        self.slow.set()
        env = {"YOURTURN_HOME": str(home), "DBUS_SESSION_BUS_ADDRESS": address}
        self.notifier = Notifier(str(home), env, tell=self.told.append, go=self.go, ending_s=ending_s)
        self.now = NOW
        self.notifier.look(statuses(), self.now)

    def go(self, session: SessionStatus) -> str:
        self.went.append(session.session_id)
        self.slow.wait(PATIENCE_S)
        return "Could not go."

    def look(self, *sessions: SessionStatus, settles_s: float = SETTLE_S) -> None:
        found = statuses(*sessions)
        for moment in (self.now, self.now + settles_s):
            self.notifier.look(found, moment)
        self.now += 10

    def hear(self, news: list[str]) -> None:
        """Wait until there is a word for them."""
        while not news:
            heard, _, _ = select.select(self.notifier.descriptors(), (), (), PATIENCE_S)
            assert heard, "nothing was heard"
            self.notifier.read(heard)

    def hear_until(self, holds: Callable[[], bool]) -> None:
        def heard() -> bool:
            self.notifier.read(select.select(self.notifier.descriptors(), (), (), 0.05)[0])
            return holds()

        until(heard, "what was waited for")

    def hear_once(self) -> None:
        heard, _, _ = select.select(self.notifier.descriptors(), (), (), PATIENCE_S)
        assert heard, "nothing was heard"
        self.notifier.read(heard)
