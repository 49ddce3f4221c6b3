"""A call of an agent of another client: what it is about, when it was asked for, and the command that it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from simulator.outlet import words_for
from simulator.stage import Signal
from simulator.together import all_of, then
from simulator.truth import Deal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from simulator.clients.agent import Agent
    from simulator.dialog import Dialog
    from simulator.program import Call
    from simulator.stage import Play
    from simulator.truth import Episode

GONE = "gone"  # the dialog of a call that was interrupted
QUESTION = "AskUserQuestion"


class Running:
    def __init__(self, agent: Agent, move: Call) -> None:
        self.agent, self.move, self._world = agent, move, agent.world
        self.id = f"call_{self._world.program.seed}_{self._world.number('call')}"
        self.request = f"ask_{self.id}"
        self.deal = Deal(agent.terminal.row_of(agent), words_for(move.tool, move.target), self._world.now)
        self._world.truth.deals.append(self.deal)
        self.answer = ""
        self.dialog: Dialog | None = None
        self.pid = 0
        self.doubt: Episode | None = None  # while nobody can say whose it is
        self.is_open, self.was_allowed = True, False
        self.started = ""  # the sub-agent that it has
        agent.calls.append(self)

    @property
    def is_question(self) -> bool:
        return self.move.tool == QUESTION

    def asks(self) -> None:
        if self not in self.agent.asking:
            self.agent.asking.append(self)
            self.deal.asked = (self._world.now, float("inf"))

    def answered(self, answer: str) -> None:
        self.answer = answer
        if self in self.agent.asking:
            self.agent.asking.remove(self)
            self.deal.asked = (self.deal.asked[0], self._world.now)

    def ends(self) -> None:
        if self.is_open:
            self.is_open = False
            self.deal.ended = self._world.now
            self.agent.calls.remove(self)
            self.answered(self.answer)
            self.stops()
            if self.doubt:
                self.doubt.end = self._world.now
            if self.dialog:
                self.dialog.answered.give(GONE)

    def starts(self, argv: tuple[str, ...]) -> None:
        """The command of a shell tool is a child of the client."""
        self.pid = self._world.pid()
        self.agent.terminal.voice.begins(self.pid, self.agent.terminal.host_pid, argv)

    def stops(self) -> None:
        if self.pid:
            self.agent.terminal.voice.ends(self.pid)
            self.pid = 0


class Answer(NamedTuple):
    """What the model has said: calls, or words."""

    calls: tuple[Running, ...] = ()
    is_last: bool = False


class Cut(NamedTuple):
    """An interruption."""

    phase: str  # where in its turn the agent was
    calls: tuple[Running, ...]  # that were open
    at_dialog: bool  # a person has refused one


def beside(agent: Agent, plays: Iterable[Play]) -> Play:
    """All at the same time, until the last of them is over."""
    signals = []
    for play in plays:
        signals.append(Signal())
        agent.beside.append(agent.terminal.play(then(play, signals[-1])))
    yield from all_of(signals)
