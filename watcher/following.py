"""The transcripts of one session: main's and those of its sub-agents, followed line by line."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from watcher.clock import SKEW_S
from watcher.subagents import Subagents
from watcher.tail import Tail, Trouble, find_transcript
from watcher.transcript import parse
from watcher.turn import Prompt, Turn, fold

if TYPE_CHECKING:
    from collections.abc import Collection

    from watcher.clock import Clock
    from watcher.subagents import Meta

SEARCH_S = 5.0  # a transcript that is not where it was is looked for this often


class Followed:
    """One transcript, on the clock since boot."""

    def __init__(self, path: str, *, sidechain: bool) -> None:
        self._sidechain = sidechain
        self.tail = Tail(path, self._opens)
        self.turn = Turn()
        self.trouble: Trouble | None = None

    def look(self, now: float, clock: Clock) -> None:
        more, is_new = True, self.turn == Turn()
        while more:
            news = self.tail.read_new()
            self.trouble, more = news.trouble, news.more
            if news.fresh:
                self.turn, is_new = Turn(), True
            for line in news.lines:
                for event in parse(line, sidechain=self._sidechain):
                    at = _dated(clock.since_boot(event.at, now), now, is_new=is_new)
                    self.turn = fold(self.turn, replace(event, at=at))
                    if isinstance(event, Prompt):
                        self.turn = replace(self.turn, seen_at=now)

    def _opens(self, line: bytes) -> bool:
        return any(isinstance(event, Prompt) for event in parse(line, sidechain=self._sidechain))


def _dated(at: float, now: float, *, is_new: bool) -> float:
    """No line is of the future: its clock was set back before we began to watch, or nobody knows when."""
    if at <= now + SKEW_S:
        return at
    return 0.0 if is_new else now


class Following:
    def __init__(self, session: str, config: str, path: str) -> None:
        self._session, self._config = session, config
        self._searched = float("-inf")
        self.main = Followed(path, sidechain=False)
        self._subagents = Subagents(path)
        self._subs: dict[str, Followed] = {}
        self.metas: dict[str, Meta] = {}

    def look(self, now: float, clock: Clock, live: Collection[str] | None) -> None:
        """`live`: the sub-agents that hooks know to be alive; None if the transcripts have to tell."""
        self.main.look(now, clock)
        if self.main.trouble is Trouble.GONE and now - self._searched > SEARCH_S:
            self._searched = now
            self._move(find_transcript(self._config, self._session), now, clock)
        self._look_at_subagents(now, clock, live)

    @property
    def turns(self) -> dict[str, Turn]:
        found = {"main": self.main.turn, **{key: sub.turn for key, sub in self._subs.items()}}
        return {key: turn for key, turn in found.items() if turn != Turn()}

    @property
    def folders(self) -> set[str]:
        """Where something new may appear."""
        path = self.main.tail.path
        known = {sub.tail.path.rpartition("/")[0] for sub in self._subs.values()}
        return {path.rpartition("/")[0], path.removesuffix(".jsonl") + "/subagents", *known}

    def _move(self, path: str | None, now: float, clock: Clock) -> None:
        if path and path != self.main.tail.path:
            self.main.tail.path = path
            self._subagents = Subagents(path)
            self.main.look(now, clock)

    def _look_at_subagents(self, now: float, clock: Clock, live: Collection[str] | None) -> None:
        there = {sub.agent_id: sub for sub in self._subagents.look(clock.wall(now))}
        told = {key for key, sub in there.items() if sub.is_written and not sub.meta.over}
        wanted = [key for key in there if key in (told if live is None else live)]
        self._subs = {key: self._subs.get(key) or Followed(there[key].path, sidechain=True) for key in wanted}
        for sub in self._subs.values():
            sub.look(now, clock)
        self.metas = {key: there[key].meta for key in wanted}
