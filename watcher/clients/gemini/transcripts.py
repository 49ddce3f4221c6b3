"""The transcripts of one session of Gemini CLI, followed line by line for the ends that no hook tells of."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from watcher.clients.gemini.subagents import Subagents
from watcher.clients.gemini.transcript import is_end, parse
from watcher.clock import dated
from watcher.files.tail import AT_ONCE, Tail
from watcher.rules.times import latest
from watcher.rules.turn import Turn, fold
from watcher.rules.turn_events import Handed

if TYPE_CHECKING:
    from collections.abc import Collection

    from watcher.clients.base import Meta
    from watcher.clock import Clock
    from watcher.files.allowance import Share
    from watcher.files.tail import Mark
    from watcher.rules.turn_events import Event


class Following:
    """Its turn tells how the last one was cut off, and nothing of one that goes on: that is up to the hooks.

    So lines that are half read do no harm: they tell of ends that are older than the turn.
    """

    def __init__(self, session: str, path: str, share: Share | None = None) -> None:
        self._session, self._share = session, share
        self._tail = Tail(path, is_end)
        self._subagents = Subagents(self._folder, session)
        self._is_behind = False
        self.turn = Turn()
        self.metas: dict[str, Meta] = {}  # hooks tell of sub-agents as of the main agent

    @property
    def main(self) -> Following:
        return self

    @property
    def turns(self) -> dict[str, Turn]:
        below = self._subagents.handed
        turn = replace(self.turn, handed=(*self.turn.handed, below)) if below else self.turn
        return {"main": turn} if turn != Turn() else {}

    @property
    def folders(self) -> set[str]:
        return {self._folder, self._subagents.folder} - {""}

    @property
    def files(self) -> set[str]:
        return {self._tail.path} - {""}

    @property
    def _folder(self) -> str:
        return self._tail.path.rpartition("/")[0]

    @property
    def is_unseen(self) -> bool:
        return self._is_behind and not self._tail.is_seen

    def told(self, path: str) -> None:
        """A session that is resumed begins a file, and then goes on in the one before."""
        self._tail.path = path

    def look(self, now: float, clock: Clock, _live: Collection[str] | None) -> None:
        news = self._tail.read_new(self._portion())
        self._is_behind = news.more
        is_new = news.fresh or self.turn == Turn()
        for event in (found for line in news.lines if (found := parse(line))):
            at = dated(clock.since_boot(event.at, now), now, is_new=is_new)
            self.turn = _after(self.turn, replace(event, at=at))
        spent = self._tail.cost + self._subagents.look(self._at_last, now, clock, self._portion)
        if self._share:
            self._share.spend(spent)
            self._share.ask_again(self._is_behind or self._subagents.is_behind)

    def _portion(self) -> int:
        return self._share.portion() if self._share else AT_ONCE

    @property
    def _at_last(self) -> float:
        """When the main agent last went on, or was cut off: its sub-agents of before are over."""
        return max(0.0, latest([self.turn.ended_at, *(one.at for one in self.turn.handed)]))

    def is_unchanged(self, _now: float, _live: Collection[str] | None) -> bool:
        return not self._is_behind and self._tail.is_unchanged() and self._subagents.is_unchanged()

    def mark(self, _live: Collection[str] | None) -> Mark | None:
        return None if self._is_behind or self._subagents.is_any else self._tail.mark()


def _after(turn: Turn, event: Event) -> Turn:
    """Each end is of a turn of its own."""
    return fold(turn if isinstance(event, Handed) else Turn(handed=turn.handed), event)
