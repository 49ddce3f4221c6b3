"""A sub-agent: it lives in its parent's process, and tells its parent when it has finished."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simulator import lines
from simulator.agent import Agent, ApiError
from simulator.outlet import EscapeError
from simulator.stage import Signal
from simulator.truth import FAILED, INTERRUPTED, OVER, WAITING, WORKING

if TYPE_CHECKING:
    from simulator.client import Client
    from simulator.lines import Record
    from simulator.program import Move, Spawn
    from simulator.stage import Play

TYPE = "general-purpose"


class SubAgent(Agent):
    is_main = False

    def __init__(self, client: Client, parent: Agent, move: Spawn, call_id: str) -> None:
        world = client.world
        super().__init__(client, f"a{world.program.seed:08x}{world.number('agent'):08x}")
        self.parent, self._move, self._call_id = parent, move, call_id
        self.type = TYPE
        self.done = Signal()
        self._has_stopped = False  # though its own sub-agents may go on
        self._has_failed = self._is_cut_off = False

    @property
    def path(self) -> str:
        return f"{self.client.project}/{self.client.session}/subagents/agent-{self.key}.jsonl"

    @property
    def waits_for_hooks(self) -> bool:
        return self._move.background

    @property
    def state(self) -> str:
        state = WORKING if self.company and not self.is_asking else super().state  # whoever it started will wake it
        if state != WORKING or self.client.gate.is_open:
            return state
        return OVER if self._has_stopped else WAITING

    @property
    def rest(self) -> str | None:
        """Only a hook tells that it failed, and that may be lost. Of a stopped client either reason is true."""
        program = self.world.program
        is_told = program.hooks and "lost" not in {fault.kind for fault in program.faults}
        if not self.is_over or not self.client.gate.is_open:
            return None
        if self._is_cut_off:
            return INTERRUPTED
        return FAILED if self._has_failed and is_told else None

    def payload(self, event: str, **more: Any) -> Record:
        return super().payload(event, agent_id=self.key, agent_type=self.type, **more)

    def line(self, record: Record) -> None:
        self.client.outlet.line(self.path, {**record, "isSidechain": True, "agentId": self.key})

    def hear(self, task: str, news: str) -> None:
        """Through the one queue that a session has."""
        super().hear(task, news)
        self.client.main.line(lines.queue("enqueue", news))

    def take_news(self) -> str:
        news = super().take_news()
        self.client.main.line(lines.queue("remove", news))
        return news

    def live(self) -> None:
        self.is_in_turn = True
        self.prompt_id = self.parent.prompt_id
        self._actor = self.client.play(self._whole_life())

    def cut_off(self) -> None:
        """With its parent; no hook tells of it."""
        self.throw(EscapeError())

    @property
    def task(self) -> Record:
        """As the client lists what runs in the background."""
        more = {"description": self._move.name, "agent_type": self.type}
        return {"id": self.key, "type": "subagent", "status": "running", **more}

    @property
    def is_listed(self) -> bool:
        """Also while the hooks of its end run."""
        return self._move.background and (not self.is_over or self.is_ending) and not self._has_stopped

    @property
    def is_ending(self) -> bool:
        """The hooks of its end run, and its parent will hear of it then."""
        return self.is_over and self._move.background and self.done.word is None

    def _whole_life(self) -> Play:
        """Its parent may take it along even while the hooks of its own end run."""
        try:
            yield from self._life()
        except EscapeError:
            self._ends("interrupted")

    def _life(self) -> Play:
        try:
            yield from self.hook("SubagentStart")
            self._note()
            self.line(lines.first_of_sub_agent("please do it", self.prompt_id))
            yield from self._stretches(self._move.script)
        except EscapeError as escape:
            self._is_cut_off = not self.is_over
            self._is_interrupted(escape)
            self._ends("interrupted")
        except ApiError as error:
            self.is_in_turn, self.is_over, self._has_failed = False, True, True
            self.line(lines.failed(str(error)))
            yield from self.hook("StopFailure", error=str(error), last_assistant_message="API Error: scripted")
            self._ends("failed")

    def _stretches(self, script: tuple[Move, ...]) -> Play:
        """It is woken by each of its own sub-agents that outlives its work."""
        yield from self.work(script)
        yield from self._stops()
        while self.company:
            yield self.next_news()
            self.is_in_turn, self._has_stopped = True, False
            yield from self.hook("SubagentStart")
            self.line(lines.news_for_sub_agent(self.take_news(), self.prompt_id))
            yield from self.work(())
            yield from self._stops()
        self._ends("done")

    def _stops(self) -> Play:
        self.is_in_turn = False
        self.is_over = not self.company
        yield from self._stop_hook()
        self._has_stopped = True
        self._note(finished=True)

    def _stop_hook(self) -> Play:
        more = {"agent_transcript_path": self.path, "last_assistant_message": "some words", "stop_hook_active": False}
        tasks = {task["id"]: task for task in [*self.client.tasks, self.task]} if self._move.background else {}
        yield from self.hook("SubagentStop", **more, background_tasks=list(tasks.values()), session_crons=[])

    def _ends(self, how: str) -> None:
        self.is_over, self.is_in_turn, self.is_asking = True, False, False
        self.done.give(how)
        if self._move.background and self.client.is_alive:
            self.parent.hear(self.key, lines.it_is_done(self.key, self._call_id))

    def _note(self, **more: Any) -> None:
        note = {"agentType": self.type, "description": self._move.name, "toolUseId": self._call_id}
        note |= {key: value for key, value in more.items() if key != "finished" or self.world.program.notes}
        parent = {} if self.parent.is_main else {"parentAgentId": self.parent.key}
        depth = 1 if self.parent.is_main else 2
        path = self.path.removesuffix(".jsonl") + ".meta.json"
        self.client.outlet.file(path, {**note, **parent, "spawnDepth": depth})
