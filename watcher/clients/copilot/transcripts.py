"""The events of one session, main's and those of its sub-agents, followed line by line in one file.

The client cuts the file where a person takes a prompt back before any answer: what is left is read anew.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

from contract.paths import MAIN
from watcher.clients.copilot.transcript import gist, opens_turn, parse
from watcher.clock import SKEW_S
from watcher.files.tail import AT_ONCE, Mark, Tail, Trouble
from watcher.rules.turn import Turn, fold
from watcher.rules.turn_events import Finished, Interrupted, Prompt, Result, Started

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from watcher.clients.base import Meta
    from watcher.clients.copilot.transcript import Line
    from watcher.clock import Clock
    from watcher.files.allowance import Share
    from watcher.rules.turn_events import Event

EMPTY = Turn(is_live=True)
ONLY_MAIN = frozenset({MAIN})
MOST_AGENTS = 256
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Told:
    """All that the file has told so far."""

    turns: Mapping[str, Turn] = field(default_factory=dict)  # by agent
    metas: Mapping[str, Meta] = field(default_factory=dict)  # by sub-agent
    background: frozenset[str] = frozenset()  # sub-agents that go on when the turn is over

    def turn(self, agent: str) -> Turn:
        return self.turns.get(agent, EMPTY)


def with_line(told: Told, line: Line, events: tuple[Event, ...], now: float) -> Told:
    """`events`: those of the line, on our clock."""
    for event in events:
        told = _with_event(told, _owner(told, line.agent, event), event, now)
        if line.aborts:
            told = _with_event(told, MAIN, Interrupted(event.at), now)
    if line.meta is None:
        return told
    known = told.metas.get(line.agent)
    parent = known.parent if known else _caller(told, line.meta.call_id)
    meta = line.meta._replace(type=line.meta.type or (known.type if known else ""), parent=parent)
    if line.in_background:
        told = replace(told, background=told.background | {line.agent})
    told = replace(told, metas=_newest({**told.metas, line.agent: meta}))
    return _told_to_parent(told, line.agent, events[0].at, now) if line.agent in told.background else told


def _told_to_parent(told: Told, agent: str, at: float, now: float) -> Told:
    """In the background its call ends when it begins: its own end is another one."""
    meta = told.metas[agent]
    event = Finished(at, agent) if meta.over else Started(at, agent, "agent")
    return _with_event(told, meta.parent or MAIN, event, now)


def _caller(told: Told, call: str) -> str:
    """The sub-agent whose call this is; '' for main's, and if it is not known."""
    return next((key for key, turn in told.turns.items() if call in turn.calls and key != MAIN), "")


def _with_event(told: Told, agent: str, event: Event, now: float) -> Told:
    turn = fold(told.turn(agent), event)
    if isinstance(event, Prompt):
        turn = replace(turn, seen_at=now)
    turns = {**told.turns, agent: turn}
    if agent == MAIN and isinstance(event, Interrupted):
        # Nothing else tells of the sub-agents that it has waited for.
        cut = [key for key in told.metas if not told.metas[key].over and key not in told.background]
        turns.update({key: fold(told.turn(key), event) for key in cut})
    main = {MAIN: turns.pop(MAIN)} if MAIN in turns else {}
    return replace(told, turns={**main, **_newest(turns)})


def _owner(told: Told, agent: str, event: Event) -> str:
    """Of a line that was too long to hold only the call is known."""
    if not isinstance(event, Result) or event.call_id in told.turn(agent).calls:
        return agent
    return next((key for key, turn in told.turns.items() if event.call_id in turn.calls), agent)


def _newest(kept: dict[str, V]) -> dict[str, V]:
    for key in list(kept)[:-MOST_AGENTS]:
        del kept[key]
    return kept


class Following:
    """As `watcher.clients.claude.transcripts.Followed`: what is read in portions counts when all of it is read."""

    def __init__(self, path: str, share: Share | None = None) -> None:
        self._share = share
        self._tail = Tail(path, opens_turn, gist)
        self._told = Told()
        self._ahead: Told | None = None  # as far as it is read
        self._owed = 0  # bytes to read before that counts
        self._is_behind = False
        self._trouble: Trouble | None = None
        self._wanted: Collection[str] = ()
        self.metas: dict[str, Meta] = {}

    @property
    def main(self) -> Following:
        return self

    @property
    def turn(self) -> Turn:
        return self._told.turn(MAIN)

    @turn.setter
    def turn(self, turn: Turn) -> None:
        self._told, self._ahead = replace(self._told, turns={**self._told.turns, MAIN: turn}), None

    @property
    def turns(self) -> dict[str, Turn]:
        turns = {MAIN: self.turn, **{key: self._told.turn(key) for key in self._wanted}}
        return {key: turn for key, turn in turns.items() if turn != EMPTY}

    @property
    def folders(self) -> set[str]:
        return {self._tail.path.rpartition("/")[0]}

    @property
    def files(self) -> set[str]:
        """The folder of its file is called as the session."""
        return set()

    @property
    def is_unseen(self) -> bool:
        return self._is_behind and not self._tail.is_seen

    def told(self, _path: str) -> None:
        """It is always where it was."""

    def look(self, now: float, clock: Clock, live: Collection[str] | None) -> None:
        """`live`: the sub-agents that hooks know to be alive; None if the file has to tell."""
        self._read(now, clock)
        metas = self._told.metas
        self._wanted = [key for key, meta in metas.items() if (key in live if live is not None else not meta.over)]
        self.metas = {key: metas[key] for key in self._wanted}
        if self._share:
            self._share.ask_again(self._is_behind)

    def is_unchanged(self, _now: float, _live: Collection[str] | None) -> bool:
        return not self._is_behind and self._trouble is not Trouble.GONE and self._tail.is_unchanged()

    def mark(self, live: Collection[str] | None) -> Mark | None:
        is_alone = live is not None and ONLY_MAIN.issuperset(live) and not self._wanted
        is_read = self._trouble is not Trouble.GONE and not self._is_behind
        return self._tail.mark() if is_alone and is_read else None

    def _read(self, now: float, clock: Clock) -> None:
        news = self._tail.read_new(self._share.portion() if self._share else AT_ONCE)
        self._trouble, self._is_behind = news.trouble, news.more
        told = Told() if news.fresh else self._ahead or self._told
        is_new = told == Told()
        for raw in news.lines:
            line = parse(raw)
            dated = tuple(_dated(event, clock.since_boot(event.at, now), now, is_new=is_new) for event in line.events)
            told = with_line(told, line, dated, now)
        self._take(_taken_back(self._told, told, now) if news.fresh else told, news.left)
        if self._share:
            self._share.spend(self._tail.cost)

    def _take(self, told: Told, left: int) -> None:
        self._owed = left if self._ahead is None else self._owed - self._tail.cost
        is_read = not left or (self._owed <= 0 and self._tail.cost > 0)
        self._told, self._ahead = (told, None) if is_read else (self._told, told)


def _taken_back(before: Told, told: Told, now: float) -> Told:
    """What is left of a file that was cut. Where a prompt is gone, a person has interrupted its turn."""
    gone, left = before.turn(MAIN).prompted_at, told.turn(MAIN)
    if gone is None or (left.prompted_at is not None and gone <= left.prompted_at):
        return told
    interrupted = replace(left, ended_at=now, how="interrupt", error="", calls={}, asks={})
    return replace(told, turns={**told.turns, MAIN: interrupted})


def _dated(event: Event, at: float, now: float, *, is_new: bool) -> Event:
    """No line is of the future: its clock was set back before we began to watch, or nobody knows when."""
    if at > now + SKEW_S:
        at = 0.0 if is_new else now
    return replace(event, at=at)
