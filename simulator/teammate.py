"""A teammate in its lead's own process: it goes idle instead of ending, and sends its lead a message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simulator.subagent import SubAgent
from simulator.truth import NEEDS_APPROVAL, WAITING, WORKING

if TYPE_CHECKING:
    from simulator.agent import Agent
    from simulator.client import Client
    from simulator.lines import Record
    from simulator.program import Move, Spawn
    from simulator.stage import Play


class Teammate(SubAgent):
    def __init__(self, client: Client, parent: Agent, move: Spawn, call_id: str) -> None:
        super().__init__(client, parent, move, call_id)
        self.key = f"a{move.name}-{self.key[1:]}"
        self.type = move.name

    @property
    def team(self) -> str:
        return f"session-{self.client.session[:8]}"

    @property
    def state(self) -> str:
        if self.is_asking:
            return NEEDS_APPROVAL
        return WORKING if self.is_in_turn and self.client.gate.is_open else WAITING

    @property
    def task(self) -> Record:
        """It is listed as running even while it is idle."""
        return {"id": f"t{self.key}", "type": "teammate", "status": "running", "description": self._move.name}

    def _stretches(self, script: tuple[Move, ...]) -> Play:
        yield from self.work(script)
        self.is_in_turn = False
        self.client.main.expect_message(self.key)
        yield from self._stop_hook()
        yield from self.hook("TeammateIdle", teammate_name=self._move.name, team_name=self.team)
        self.client.main.take_message(self._move.name)

    def _note(self, **more: Any) -> None:
        super()._note(taskKind="in_process_teammate", name=self._move.name, teamName=self.team, **more)
