"""One transcript of any client, followed line by line."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from watcher.clock import dated
from watcher.files.tail import AT_ONCE, Tail, Trouble
from watcher.rules.turn import Turn, fold
from watcher.rules.turn_events import Prompt

if TYPE_CHECKING:
    from collections.abc import Callable

    from watcher.clock import Clock
    from watcher.files.tail import Gist
    from watcher.rules.turn_events import Event

WOKEN_S = 5.0  # so long after its last sign an agent that is over may hear of one of its own, and go on


class Speech(NamedTuple):
    """How to read the lines of a client."""

    parse: Callable[[bytes], tuple[Event, ...]]
    opens_turn: Callable[[bytes], bool]  # whether nothing before this line is needed to know the turn
    gist: Gist  # what the head of a line too long to hold tells


class Followed:
    """One transcript, on the clock since boot.

    Of one that is read in portions the turn stays as it was until all is read that was there at the beginning: lines
    that are half read would tell of a past as if it were the present.
    """

    def __init__(self, path: str, speech: Speech) -> None:
        self._parse = speech.parse
        self.tail = Tail(path, speech.opens_turn, speech.gist)
        self._turn = Turn()
        self._ahead: Turn | None = None  # as far as it is read
        self._owed = 0  # bytes to read before that counts
        self.is_behind = False
        self.trouble: Trouble | None = None
        self.at_work_at = 0.0  # when the client's notes last told so: it may be silent for long while a command runs

    @property
    def turn(self) -> Turn:
        return self._turn

    @turn.setter
    def turn(self, turn: Turn) -> None:
        self._turn, self._ahead = turn, None

    def may_go_on(self, now: float) -> bool:
        """Though the client has noted that it is over."""
        turn = self._turn
        last = max(turn.prompted_at or 0.0, turn.active_at or 0.0, turn.ended_at or 0.0, self.at_work_at)
        return turn.is_of_news or now - last < WOKEN_S

    def look(self, now: float, clock: Clock, most: int = AT_ONCE) -> int:
        """The bytes it has read: no more than `most`, but for a first sight."""
        news = self.tail.read_new(most)
        self.trouble, self.is_behind = news.trouble, news.more
        turn = Turn() if news.fresh else self._ahead or self._turn
        is_new = turn == Turn()
        for line in news.lines:
            for event in self._parse(line):
                turn = fold(turn, replace(event, at=dated(clock.since_boot(event.at, now), now, is_new=is_new)))
                if isinstance(event, Prompt):
                    turn = replace(turn, seen_at=now)
        self._take(turn, news.left)
        return self.tail.cost

    def _take(self, turn: Turn, left: int) -> None:
        if self._ahead is None:
            self._owed = left
        else:
            self._owed -= self.tail.cost
        is_read = not left or (self._owed <= 0 and self.tail.cost > 0)
        self._turn, self._ahead = (turn, None) if is_read else (self._turn, turn)
