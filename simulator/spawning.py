"""A call that starts a sub-agent: in the background it ends at once, in the foreground with the sub-agent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simulator import lines
from simulator.truth import Deal

if TYPE_CHECKING:
    from simulator.agent import Agent
    from simulator.lines import Record
    from simulator.program import Spawn
    from simulator.stage import Play
    from simulator.subagent import SubAgent


class Spawning:
    only_reads = True  # in that it keeps no other call from beginning

    def __init__(self, agent: Agent, move: Spawn) -> None:
        self._agent, self._world, self._move = agent, agent.world, move
        self.id = f"toolu_{self._world.program.seed}_{self._world.number('call')}"
        self._given = {"description": move.name, "prompt": "please do it", "subagent_type": "general-purpose"}
        if move.is_mate:
            self._given["name"] = move.name
        self._deal = Deal(agent.truth_key, f"Agent: {move.name}", self._world.now)
        self._world.truth.deals.append(self._deal)
        self._sub: SubAgent | None = None
        self.is_open = True

    @property
    def fields(self) -> Record:
        return {"tool_name": "Agent", "tool_input": self._given, "tool_use_id": self.id}

    @property
    def line(self) -> Record:
        return lines.call(self.id, "Agent", self._given)

    def play(self) -> Play:
        self._deal.began = self._world.now
        yield from self._agent.hook("PreToolUse", **self.fields)
        if self._move.in_pane:
            yield from self._opens_pane()
            return
        self._sub = sub = self._agent.client.spawn(self._agent, self._move, self.id)
        if not self._move.background:
            how = yield sub.done
            if how == "interrupted":
                self._fails()
                return
        self._end()
        answer: Record = {"agentId": sub.key, "description": self._move.name, "status": "completed"}
        if self._move.background:
            answer = {**answer, "isAsync": True, "status": "async_launched"}
        if self._move.is_mate:
            answer = {"agentId": sub.key, "status": "teammate_spawned", "name": sub.type}
        self._agent.async_hook("PostToolUse", **self.fields, tool_response=answer, duration_ms=1)
        yield self._agent.delay("result")
        self._agent.line(lines.result(self.id, self._agent.prompt_id, answer))

    def _opens_pane(self) -> Play:
        """The call ends when there is a pane; what runs in it begins later."""
        yield self._agent.delay("pane opens")
        pane = self._agent.client.open_pane(self._move)
        self._end()
        about = {"agentId": pane.agent_id, "name": pane.name, "team_name": pane.team, "tmux_pane_id": pane.pane}
        answer = {**about, "status": "teammate_spawned", "is_splitpane": True}
        self._agent.async_hook("PostToolUse", **self.fields, tool_response=answer, duration_ms=1)
        yield self._agent.delay("result")
        self._agent.line(lines.result(self.id, self._agent.prompt_id, answer))

    def cut_off(self) -> None:
        """It takes a sub-agent in the foreground along."""
        if self.is_open:
            self._end()
            if self._sub and not self._move.background:
                self._sub.cut_off()
            self._agent.line(lines.rejection(self.id, self._agent.prompt_id))

    def _fails(self) -> None:
        """A person has refused a request of the sub-agent, and so ended it; its parent goes on."""
        self._end()
        self._agent.async_hook("PostToolUseFailure", **self.fields, error="interrupted")
        outcome = lines.DENIED
        self._agent.line(lines.result(self.id, self._agent.prompt_id, outcome, toolDenialKind="interrupted"))

    def _end(self) -> None:
        self._deal.ended = self._world.now
        self.is_open = False
