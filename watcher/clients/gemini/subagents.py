"""The transcripts of a session's sub-agents: which calls of theirs are over, as no hook tells whose a call is.

A request that was rejected leaves no other trace: the sub-agent goes on, and the main agent waits for it.
"""

from __future__ import annotations

import os
import re
import stat
from typing import TYPE_CHECKING

from watcher.clients.gemini.transcript import begun_at, is_summary, parse
from watcher.clock import dated
from watcher.files.tail import Tail
from watcher.rules.turn_events import Handed

if TYPE_CHECKING:
    from collections.abc import Callable

    from watcher.clock import Clock

    Portion = Callable[[], int]

MOST = 32  # at once
_ID = re.compile(r"[A-Za-z0-9_-]{1,128}")
_FILE = re.compile(r"[A-Za-z0-9_-]{1,128}\.jsonl")


class SubAgent:
    def __init__(self, path: str) -> None:
        self.tail = Tail(path, lambda _line: False)
        self.is_behind = False
        self.began: float | None = None
        self.handed = 0.0
        self.over_at: float | None = None

    def look(self, now: float, clock: Clock, most: int) -> None:
        news = self.tail.read_new(most)
        self.is_behind = news.more
        for line in news.lines:
            if self.began is None and (at := begun_at(line)) is not None:
                self.began = self.handed = dated(clock.since_boot(at, now), now, is_new=True)
            elif isinstance(event := parse(line), Handed):
                self.handed = dated(clock.since_boot(event.at, now), now, is_new=False)
            elif is_summary(line):
                self.over_at = now


class Subagents:
    def __init__(self, chats: str, session: str) -> None:
        self.folder = f"{chats}/{session}" if _ID.fullmatch(session) else ""
        self._known: dict[str, SubAgent] = {}
        self._since = 0.0

    @property
    def is_behind(self) -> bool:
        return any(sub.is_behind for sub in self._known.values())

    @property
    def is_any(self) -> bool:
        return bool(self._known)

    def is_unchanged(self) -> bool:
        """Of those that are known: hooks tell when there is another one."""
        return not self.is_behind and all(sub.tail.is_unchanged() for sub in self._known.values())

    def look(self, since: float, now: float, clock: Clock, portion: Portion) -> int:
        """The bytes that were read. `since`: whoever was written to only before is over."""
        self._since, cost = since, 0
        there = _written(self.folder, clock.wall(since)) if self.folder else []
        self._known = {path: self._known.get(path) or SubAgent(path) for path in there}
        for sub in self._known.values():
            sub.look(now, clock, portion())
            cost += sub.tail.cost
        return cost

    @property
    def handed(self) -> Handed | None:
        """What certainly is over: who of several asks is not told, so it is what each of them has left behind."""
        began = [sub.began for sub in self._known.values()]
        subs = [sub for sub in self._known.values() if sub.began is not None and sub.began > self._since]
        if not subs or None in began or self.is_behind:
            return None
        going_on = [sub.handed for sub in subs if sub.over_at is None]
        until = min(going_on) if going_on else max(sub.over_at or 0.0 for sub in subs)
        return Handed(until, since=min(sub.began or 0.0 for sub in subs))


def _written(folder: str, since: float) -> list[str]:
    """The transcripts in it that were written to since then, on the wall clock."""
    try:
        with os.scandir(folder) as entries:
            found = [(at, one.path) for one in entries if _FILE.fullmatch(one.name) and (at := _at(one)) > since]
    except (OSError, ValueError):
        return []
    return [path for _, path in sorted(found)[-MOST:]]


def _at(entry: os.DirEntry[str]) -> float:
    try:
        seen = entry.stat(follow_symlinks=False)
    except OSError:
        return 0.0
    return seen.st_mtime if stat.S_ISREG(seen.st_mode) else 0.0
