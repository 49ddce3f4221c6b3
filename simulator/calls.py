"""The calls of one message: begun, asked for, run, ended, refused or cut off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from simulator import lines
from simulator.outlet import EscapeError, given_to, words_for
from simulator.program import FEEDBACK, YES, Call, Spawn
from simulator.truth import Deal, Episode

if TYPE_CHECKING:
    from collections.abc import Generator

    from simulator.agent import Agent
    from simulator.lines import Record
    from simulator.stage import Play, Signal

APPROVED = "approved"


@dataclass
class Running:
    """One call on its way."""

    id: str
    move: Call
    given: Record
    deal: Deal
    pid: int = 0

    @property
    def fields(self) -> Record:
        return {"tool_name": self.move.tool, "tool_input": self.given, "tool_use_id": self.id}


class Batch:
    def __init__(self, agent: Agent, moves: tuple[Call | Spawn, ...]) -> None:
        self._agent, self._world = agent, agent.world
        self._all = [self._made(move) for move in moves if isinstance(move, Call)]
        self._open = list(self._all)

    def _made(self, move: Call) -> Running:
        name = f"toolu_{self._world.program.seed}_{self._world.number('call')}"
        deal = Deal(self._agent.truth_key, words_for(move.tool, move.target), self._world.now)
        self._world.truth.deals.append(deal)
        return Running(name, move, given_to(move.tool, move.target), deal)

    def play(self) -> Play:
        for one in self._all:
            self._agent.line(lines.call(one.id, one.move.tool, one.given))
        for one in self._all:
            yield from self._one(one)
        self._agent.async_hook("PostToolBatch", tool_calls=[one.fields for one in self._all])

    def is_cut_off(self) -> None:
        """By an interruption: what has not ended is refused."""
        for one in self._open:
            self._ends(one)
            self._agent.line(lines.rejection(one.id, self._agent.prompt_id))
        self._open = []

    def _one(self, one: Running) -> Play:
        one.deal.began = self._world.now
        yield from self._agent.hook("PreToolUse", **one.fields)
        answer = (yield from self._asked(one)) if one.move.ask else YES
        if answer == YES:
            yield from self._run(one)
        elif answer == FEEDBACK:
            self._ends(one)
            self._agent.line(lines.rejection(one.id, self._agent.prompt_id, lines.WITH_FEEDBACK))
        else:
            raise EscapeError
        self._open.remove(one)

    def _asked(self, one: Running) -> Generator[float | Signal, str, str]:
        from simulator.client import Dialog  # noqa: PLC0415 - a client knows its agents, and they their client

        agent, client = self._agent, self._agent.client
        assert one.move.ask
        dialog = Dialog(agent, one.move.tool, one.move.ask)
        agent.is_asking = True
        one.deal.asked = (self._world.now, float("inf"))
        client.show(dialog)
        told = client.play(agent.hook("PermissionRequest", tool_name=one.move.tool, tool_input=one.given))
        answer = yield dialog.answered
        one.deal.asked = (one.deal.asked[0], self._world.now)
        if answer != YES:  # the client ends the hook of what is refused
            told.throw(EscapeError())
        if answer in (YES, FEEDBACK):
            agent.is_asking = False
        return answer

    def _run(self, one: Running) -> Play:
        begin = self._world.now
        if one.move.tool == "Bash":
            yield self._agent.delay("command starts")
            one.pid = self._agent.client.command(one.move.target)
        yield one.move.takes
        self._ends(one)
        if one.move.ask:
            self._world.truth.episodes.append(
                Episode(APPROVED, self._agent.truth_key, begin, self._world.now, one.move.tool)
            )
        event = "PostToolUseFailure" if one.move.fails else "PostToolUse"
        self._agent.async_hook(event, **one.fields, tool_response={"stdout": ""}, duration_ms=1)
        yield self._agent.delay("result")
        self._agent.line(lines.result(one.id, self._agent.prompt_id, {"stdout": "", "interrupted": False}))

    def _ends(self, one: Running) -> None:
        one.deal.ended = self._world.now
        if one.pid:
            self._agent.client.outlet.ends(one.pid)
            one.pid = 0
