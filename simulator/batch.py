"""The calls of one message: those that only read, and sub-agents, at the same time, the rest one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simulator.outlet import EscapeError
from simulator.program import Call, Spawn
from simulator.running import Running
from simulator.spawning import Spawning
from simulator.stage import Signal
from simulator.together import all_of, then

if TYPE_CHECKING:
    from simulator.agent import Agent
    from simulator.stage import Actor, Play


BETWEEN_S = 0.001  # two calls: nobody is asked, and nothing runs


class Batch:
    def __init__(self, agent: Agent, moves: tuple[Call | Spawn, ...]) -> None:
        self._agent = agent
        self._calls = [Running(agent, move) if isinstance(move, Call) else Spawning(agent, move) for move in moves]
        self._beside: list[Actor] = []

    def play(self) -> Play:
        for call in self._calls:
            self._agent.line(call.line)
        if len(self._calls) == 1:
            yield from self._calls[0].play()
        else:
            yield from self._play_several()
        self._agent.async_hook("PostToolBatch", tool_calls=[call.fields for call in self._calls])

    def _play_several(self) -> Play:
        """In order: what changes something begins when everything before it has ended."""
        beside: list[Signal] = []
        for call in self._calls:
            if call.only_reads:
                beside.append(Signal())
                self._beside.append(self._agent.client.play(then(call.play(), beside[-1])))
            else:
                yield from all_of(beside)
                yield from call.play()
                yield BETWEEN_S
        yield from all_of(beside)

    def move_to_background(self) -> None:
        for call in self._calls:
            if isinstance(call, Running):
                call.move_to_background()

    def cut_off(self) -> None:
        for actor in self._beside:
            actor.throw(EscapeError())
        for call in self._calls:
            call.cut_off()
