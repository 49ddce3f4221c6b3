"""When each session is to be judged again, though no file tells of anything new."""

from __future__ import annotations

from itertools import islice, takewhile
from typing import TYPE_CHECKING

from watcher.sessions.judgement import COLD_S

if TYPE_CHECKING:
    from watcher.sessions.session import Session

PRESSED_S = 0.25  # while a command may start that no file tells of
EPSILON_S = 0.01
REJUDGED = 10  # as many sessions without news as a poll judges again


class Agenda:
    def __init__(self) -> None:
        self._pressed: set[str] = set()  # a command may start any moment
        self._due: dict[str, float] = {}  # a verdict may lapse at this time
        self._judged_at: dict[str, float] = {}  # the longest ago first

    def judged(self, session: Session) -> None:
        (self._pressed.add if session.is_pressed else self._pressed.discard)(session.id)
        self._due.pop(session.id, None)
        if session.due is not None:
            self._due[session.id] = session.due + EPSILON_S
        if self._judged_at.get(session.id) != session.judged_at:
            self._judged_at.pop(session.id, None)
            self._judged_at[session.id] = session.judged_at

    def failed(self, name: str) -> None:
        """The poll tries again: a session that fails must not make the loop spin."""
        self._due.pop(name, None)

    def forget(self, name: str) -> None:
        self._pressed.discard(name)
        self._due.pop(name, None)
        self._judged_at.pop(name, None)

    def is_pressed(self, name: str) -> bool:
        return name in self._pressed

    def restless(self, now: float) -> set[str]:
        """Those with whom something may have changed by now."""
        return {*self._pressed, *(name for name, at in self._due.items() if at <= now)}

    def soonest(self, now: float) -> list[float]:
        """When somebody will be restless."""
        return [*([now + PRESSED_S] if self._pressed else []), *self._due.values()]

    def longest_unjudged(self, among: set[str], now: float) -> set[str]:
        """Minutes settle some questions, and need not do so for a thousand sessions at once."""
        old = takewhile(lambda name: now - self._judged_at[name] >= COLD_S, self._judged_at)
        return set(islice((name for name in old if name in among), REJUDGED))
