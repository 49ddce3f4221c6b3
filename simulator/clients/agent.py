"""An agent of another client: where in its turn it is, and what it does there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simulator.agent import BETWEEN, FIRST, STREAM, TOOL, ApiError
from simulator.clients.calls import Answer, Running, beside
from simulator.outlet import EscapeError
from simulator.program import Call, Fail, Retry, Say, Spawn, Together, Wait
from simulator.truth import NEEDS_APPROVAL, OVER, WAITING, WORKING

if TYPE_CHECKING:
    from simulator.clients.terminal import Terminal
    from simulator.program import Move
    from simulator.stage import Actor, Play
    from simulator.truth import Key


class Agent:
    def __init__(self, terminal: Terminal, key: str = "main", parent: Agent | None = None, name: str = "") -> None:
        self.terminal, self.key, self.parent, self.name = terminal, key, parent, name
        self.world = terminal.world
        self.label = terminal.label
        self.is_in_turn = self.is_over = False
        self.was_cut = False  # with its parent, a moment ago
        self.asking: list[Running] = []
        self.calls: list[Running] = []  # that are open
        self.phase = FIRST
        self.turn = ""
        self.actor: Actor | None = None
        self.beside: list[Actor] = []  # calls of one message
        self.ended_at = 0.0
        self.why: str | None = None  # it rests

    @property
    def is_main(self) -> bool:
        return self.parent is None

    @property
    def truth_key(self) -> Key:
        return self.label, self.key

    @property
    def company(self) -> list[Agent]:
        """Those that it has started and that go on."""
        return [sub for sub in self.terminal.subs if sub.parent is self and not sub.is_over]

    @property
    def state(self) -> str:
        if self.is_over:
            return OVER
        if self.asking or (self.is_main and self.terminal.asks_for_others):
            return NEEDS_APPROVAL
        is_at_work = self.is_in_turn or self.company or (self.is_main and self.terminal.queue)
        return WORKING if is_at_work else WAITING

    @property
    def rest(self) -> str | None:
        return self.why if self.state == WAITING else None

    def throw(self, error: Exception) -> None:
        if self.actor:
            self.actor.throw(error)

    def leave_calls(self) -> None:
        for actor in self.beside:
            actor.throw(EscapeError())
        self.beside = []

    def end(self) -> None:
        """With all that it has started: its parent was interrupted."""
        for sub in self.company:
            sub.end()
        self.leave_calls()
        self.is_in_turn, self.is_over, self.was_cut = False, True, True
        self.throw(EscapeError())

    def delay(self, name: str) -> float:
        return self.world.delay(name, f"{self.key} {self.world.number('delay ' + self.key)}")

    def work(self, script: tuple[Move, ...]) -> Play:
        """Each move is an answer of the model; the last one are words."""
        moves = script if script and isinstance(script[-1], Say | Fail) else (*script, Say(0.1))
        for number, move in enumerate(moves):
            if number:
                yield from self.terminal.asks_model_again(self)
            yield self.delay("first word")
            yield from self._do(move, is_last=number == len(moves) - 1)

    def _do(self, move: Move, *, is_last: bool) -> Play:
        match move:
            case Say(takes):
                self.phase = STREAM
                yield takes
                self.terminal.said(self, Answer(is_last=is_last))
                self.phase = BETWEEN
            case Wait(takes) | Retry(takes):
                yield takes
            case Fail(takes, error):
                yield takes
                raise ApiError(error)
            case Call():
                yield from self._calls((move,))
            case Together(calls):
                yield from self._calls(tuple(call for call in calls if isinstance(call, Call)))
            case Spawn():
                self.phase = TOOL
                yield from self.terminal.spawn(self, move)
                self.phase = BETWEEN
            case _:
                raise ValueError("no such move is known of these clients")

    def _calls(self, moves: tuple[Call, ...]) -> Play:
        self.phase = TOOL
        running = [Running(self, move) for move in moves]
        self.terminal.said(self, Answer(tuple(running)))
        if len(running) == 1:
            yield from self.terminal.call(running[0])
        elif self.terminal.asks_first:
            yield from self.terminal.call_in_order(running)
        else:
            yield from beside(self, [self.terminal.call(one) for one in running])
        self.terminal.took_in(self, running)
        self.phase = BETWEEN
