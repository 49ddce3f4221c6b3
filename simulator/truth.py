"""What is true of each agent at each moment, as a person would say it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

NEEDS_APPROVAL, WORKING, WAITING = "needs_approval", "working", "waiting"
OVER = "over"  # a row that may stay as history, or go
ABSENT = "absent"
URGENCY = (NEEDS_APPROVAL, WORKING, WAITING, OVER, ABSENT)
PROMPTLY, BRIDGED = 2.0, 5.0
GUESSED = 320.0  # after five minutes without a sign, where nothing tells; a quiet session is judged less often
DUST_S = 0.001
SHARED = "one transcript for two"  # processes
FAILED, INTERRUPTED, SHELL, WAKES, PLAIN = "failed", "interrupted", "a shell runs", "wakes by itself", ""
GUESS = "nobody knows"  # so it is said, but not before time has made it likely

Key = tuple[str, str]  # session and agent; '' for the session as a whole


class Change(NamedTuple):
    at: float
    state: str
    bound: float = PROMPTLY  # how long it may take to show


class Rest(NamedTuple):
    """From here on somebody who looks at a resting agent is told why it rests; None: nobody can say, or it works."""

    at: float
    why: str | None
    since: float = 0.0  # when its own turn ended; 0 if nobody asks how long it rests


@dataclass(eq=False)
class Episode:
    """A stretch of which some readers may know less than the truth; who, and how, `unknowable` says."""

    kind: str
    key: Key
    begin: float
    end: float = float("inf")
    detail: str = ""
    is_alone: bool = False  # it is about one of two sessions, and the other one is told


@dataclass
class Deal:
    """One call of an agent: when it was open, and when it was asked for."""

    key: Key
    words: str
    began: float
    ended: float = float("inf")
    asked: tuple[float, float] = (float("inf"), float("inf"))


@dataclass
class Truth:
    changes: dict[Key, list[Change]] = field(default_factory=dict)
    deals: list[Deal] = field(default_factory=list)
    episodes: list[Episode] = field(default_factory=list)
    rests: dict[Key, list[Rest]] = field(default_factory=dict)
    jumps: bool = False  # the wall clock is set meanwhile: what is dated with it cannot be compared

    def begin(self, kind: str, key: Key, now: float, detail: str = "", *, is_alone: bool = False) -> Episode:
        """One that has no end yet."""
        self.episodes.append(Episode(kind, key, now, detail=detail, is_alone=is_alone))
        return self.episodes[-1]

    def is_slow(self, session: str) -> bool:
        """What is said of it comes late on purpose, or two processes say it."""
        bounds = {change.bound for key, changes in self.changes.items() if key[0] == session for change in changes}
        return not bounds <= {PROMPTLY, BRIDGED} or self.is_shared(session)

    def is_shared(self, session: str) -> bool:
        """Two processes write to its transcript, so nobody can say which of them was interrupted."""
        return (session, SHARED) in {(e.key[0], e.kind) for e in self.episodes}

    def note(self, now: float, states: Mapping[Key, str], bounds: Mapping[str, float]) -> None:
        """Who is not found is absent. `bounds`: by session, how long a change may take to show."""
        for key in {*self.changes, *states}:
            state = states.get(key, ABSENT)
            known = self.changes.setdefault(key, [Change(0.0, ABSENT)])
            if known[-1].state == state:
                continue
            if known[-1].at == now and len(known) > 1:  # what lasts no time at all is nobody's truth
                known.pop()
            if known[-1].state != state:
                known.append(Change(now, state, bounds.get(key[0], PROMPTLY)))

    def move(self, now: float, old: Key, new: Key) -> None:
        """From now on it is shown elsewhere, and there, too, it may show what it was a moment ago."""
        known = self.changes.get(old, [Change(0.0, ABSENT)])
        before = known[-2:-1] if now - known[-1].at < known[-1].bound else []
        self.changes[new] = [Change(0.0, ABSENT), *(change._replace(at=now - DUST_S) for change in before)]

    def note_rest(self, now: float, key: Key, why: str | None, since: float) -> None:
        known = self.rests.setdefault(key, [Rest(0.0, None)])
        if known[-1][1:] != (why, since):
            known.append(Rest(now, why, since))


def most_urgent(states: list[str]) -> str:
    return min(states, key=URGENCY.index, default=ABSENT)
