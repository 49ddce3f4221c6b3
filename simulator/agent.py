"""An agent: what it does in its turns, and what leaves it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simulator import lines
from simulator.batch import Batch
from simulator.compaction import compaction
from simulator.program import Call, Compact, Fail, Retry, Say, Spawn, Together, Wait
from simulator.stage import Signal
from simulator.truth import GUESSED, NEEDS_APPROVAL, OVER, WAITING, WORKING, Episode

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from simulator.client import Client
    from simulator.dialog import Dialog
    from simulator.lines import Record
    from simulator.outlet import EscapeError
    from simulator.program import Move
    from simulator.stage import Actor, Play
    from simulator.subagent import SubAgent
    from simulator.truth import Key

# Where in its turn an agent is: an interruption leaves other traces in each.
FIRST, STREAM, BETWEEN, TOOL, STOP = "before any output", "in stream", "between", "in a tool", "at its end"


class ApiError(Exception):
    """The API has refused for good."""


class Agent:
    is_main = True
    asks_lead = False  # whose requests another process shows

    @property
    def waits_for_hooks(self) -> bool:
        """Before its dialogs open."""
        return False

    def __init__(self, client: Client, key: str) -> None:
        self.client, self.key, self.world = client, key, client.world
        self.is_in_turn, self.is_asking, self.is_over = False, False, False
        self.phase = FIRST
        self.prompt_id = ""
        self._batch: Batch | None = None
        self._actor: Actor | None = None
        self.news: list[str] = []  # of its sub-agents and shells, not taken in yet
        self.awaited: set[str] = set()  # sub-agents whose news is on its way
        self._next_news = Signal()
        self.tools: set[str] = set()  # that it has used
        self.ended_at = 0.0  # when its last turn did
        self.unseen_end: Episode | None = None  # of its last turn, by an interruption that nothing tells of

    @property
    def path(self) -> str:
        return f"{self.client.project}/{self.client.session}.jsonl"

    @property
    def truth_key(self) -> Key:
        return self.client.label, self.key

    @property
    def rows(self) -> tuple[Key, ...]:
        """Wherever it is shown."""
        return (self.truth_key,)

    @property
    def shows_its_requests(self) -> Client:
        return self.client

    @property
    def company(self) -> list[SubAgent]:
        """Those that it has started and that go on, or whose end it has not heard of."""
        own = [sub for sub in self.client.subs if sub.parent is self]
        return [sub for sub in own if sub.is_ending or sub.state not in (OVER, WAITING)]

    @property
    def is_busy(self) -> bool:
        """As the registry has it: Stop hooks belong to the turn."""
        is_stopping = self.phase == STOP and self._actor is not None and not self._actor.is_over
        return not self.is_over and (self.is_in_turn or is_stopping)

    @property
    def state(self) -> str:
        if self.is_over:
            return OVER
        if self.is_asking:
            return NEEDS_APPROVAL
        return WORKING if self.is_in_turn or self.company or self.awaited else WAITING

    @property
    def rest(self) -> str | None:
        """Why it rests, where that can be told; None if it does not."""
        return None

    # --- what leaves it

    def payload(self, event: str, **more: Any) -> Record:
        return self.client.payload(event, prompt_id=self.prompt_id, permission_mode="default", **more)

    def hook(self, event: str, **more: Any) -> Play:
        yield from self.client.outlet.hook(self.payload(event, **more))

    def async_hook(self, event: str, **more: Any) -> None:
        self.client.outlet.async_hook(self.payload(event, **more))

    def line(self, record: Record) -> None:
        self.client.outlet.line(self.path, {"isSidechain": False, **record})

    def delay(self, name: str) -> float:
        return self.world.delay(name, f"{self.key} {self.world.number('delay ' + self.key)}")

    def ask_lead(self, dialog: Dialog, asks: Callable[[], None]) -> Play:
        """Bring a request to another process; `asks` when it is shown there."""
        raise NotImplementedError

    # --- news of its sub-agents

    def hear(self, task: str, news: str) -> None:
        self.awaited |= {task} & {sub.key for sub in self.client.subs}  # of a shell nobody waits for
        self.news.append(news)
        signal, self._next_news = self._next_news, Signal()
        signal.give("news")

    def next_news(self) -> float | Signal:
        return 0.0 if self.news else self._next_news

    def take_news(self) -> str:
        news = self.news.pop(0)
        self.awaited = {task for task in self.awaited if f"<task-id>{task}<" not in news}
        return news

    # --- working

    def throw(self, error: Exception) -> None:
        if self._actor:
            self._actor.throw(error)

    def move_to_background(self) -> None:
        if self._batch:
            self._batch.move_to_background()

    def work(self, script: tuple[Move, ...]) -> Play:
        moves = script if script and isinstance(script[-1], Say | Fail) else (*script, Say(0.1))
        for move, after in zip(moves, (*moves[1:], None), strict=True):
            yield self.delay("first word")
            yield from self._do(move, "end_turn" if after is None else "tool_use")
            if isinstance(move, Call | Together | Spawn) and (yield from self.absorbs()):
                return

    def absorbs(self) -> Generator[float | Signal, Any, bool]:
        """Whether something that was said while it called tools changes what it does."""
        yield from ()
        return False

    def _do(self, move: Move, stop_reason: str) -> Play:
        match move:
            case Say():
                yield from self._say(move, stop_reason)
            case Wait(takes):
                yield takes
            case Retry(takes, lines_written):
                yield from self._tries_again(takes, lines_written)
            case Fail(takes, error):
                yield takes
                raise ApiError(error)
            case Compact(takes):
                yield from compaction(self, "auto", takes)
            case _:
                yield from self._call(move)

    def _tries_again(self, takes: float, lines_written: int) -> Play:
        for attempt in range(1, lines_written + 1):
            yield takes / (lines_written + 1)
            self.line(lines.overloaded(attempt))
        yield takes / (lines_written + 1)

    def _say(self, move: Say, stop_reason: str) -> Play:
        self.phase = STREAM
        yield move.takes
        self.line(lines.words(stop_reason))
        self.phase = BETWEEN

    def _call(self, move: Call | Together | Spawn) -> Play:
        self.phase = TOOL
        calls = move.calls if isinstance(move, Together) else (move,)
        self.tools |= {call.tool for call in calls if isinstance(call, Call)}
        self._batch = Batch(self, calls)
        yield from self._batch.play()
        self._batch, self.phase = None, BETWEEN

    def _is_interrupted(self, escape: EscapeError) -> None:
        if self.phase in (FIRST, STOP) and self.is_main:
            leads = "leads panes" if self.client.panes else ""
            now = self.world.now
            self.unseen_end = Episode(FIRST, self.truth_key, now, now + GUESSED, leads)
            self.world.truth.episodes.append(self.unseen_end)
        elif self.phase == STREAM:
            if self.is_main:  # of a sub-agent's unfinished words nothing is kept
                self.line(lines.aborted())
            self.line(lines.interruption(self.prompt_id))
        elif self.phase in (FIRST, BETWEEN):
            self.line(lines.interruption(self.prompt_id))
        elif self._batch:
            self._batch.cut_off()
            self._batch = None
            self.line(lines.interruption(self.prompt_id, lines.INTERRUPTED_TOOL))
            if escape.at_dialog and self.is_main:
                self.line(lines.turn_duration())
