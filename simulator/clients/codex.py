"""Codex without its daemon: hooks that it waits for, a rollout for each agent, commands below its process.

Of an approval no hook tells, nor of an API error. A session is told of with its first prompt.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from simulator.agent import STOP
from simulator.clients.calls import Cut
from simulator.clients.terminal import FOLDER, Terminal
from simulator.outlet import EscapeError
from simulator.stage import Signal
from simulator.truth import PLAIN

if TYPE_CHECKING:
    from simulator.clients.agent import Agent
    from simulator.clients.calls import Answer, Running
    from simulator.lines import Record
    from simulator.stage import Play

LINE = "rollout line"
NAMES = {"Bash": "Bash", "AskUserQuestion": "request_user_input", "Agent": "spawn_agent"}
WRITTEN = {"Bash": "exec_command", "AskUserQuestion": "request_user_input", "Agent": "spawn_agent"}
ABORTED = "aborted by user"


class Codex(Terminal):
    name = "codex"
    program: tuple[str, ...] = ("/usr/local/bin/codex", "--no-daemon")
    files = False
    together = True
    in_background = True
    compacts = True
    tells_start = tells_clear = False
    folder = FOLDER

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._source, self._is_first = "startup", True
        self._told: list[str] = []  # sessions of this process

    def is_told_once(self, payload: Record) -> bool:
        """The beginning or the end of a sub-agent; and where a session begins."""
        return "agent_id" in payload or payload["hook_event_name"] == "SessionStart"

    # --- its files

    def path(self, agent: Agent) -> str:
        thread = self.session if agent.is_main else agent.key
        return f"{self.home}/.codex/sessions/2026/11/16/rollout-2026-11-16T12-00-00-{thread}.jsonl"

    def line(self, agent: Agent, kind: str, inner: str, **more: Any) -> None:
        payload = {"type": inner, **more}
        self.voice.write(self.path(agent), {"timestamp": self.stamp, "type": kind, "payload": payload}, LINE)

    def _begins_turn(self, agent: Agent) -> None:
        self.line(agent, "event_msg", "task_started", turn_attribution={"turn_trigger": "user"}, turn_id=agent.turn)

    # --- its hooks

    def payload(self, event: str, agent: Agent, **more: Any) -> Record:
        sub = {} if agent.is_main else {"agent_id": agent.key, "agent_type": "worker"}
        base = {"session_id": self.session, "transcript_path": self.path(self.main), "cwd": self.folder}
        turn = {} if event in ("SessionStart", "SessionEnd") else {"turn_id": agent.turn}
        return {**base, "hook_event_name": event, **turn, **sub, **more}

    def hook(self, event: str, agent: Agent, **more: Any) -> Play:
        yield from self.voice.hook(self.payload(event, agent, **more))

    def begins(self, source: str) -> Play:
        self._source, self._is_first = source, True
        yield from ()

    def leaves(self) -> Play:
        """One for every session that the process ever had."""
        for session in self._told:
            told = self.payload("SessionEnd", self.main, reason="other")
            yield from self.voice.hook({**told, "session_id": session})

    def prompted(self, agent: Agent) -> Play:
        self._begins_turn(agent)
        if self._is_first:
            self._is_first = False
            self._told.append(self.session)
            yield from self.hook("SessionStart", agent, source=self._source)
        yield from self.hook("UserPromptSubmit", agent, prompt="please do it")

    def said(self, agent: Agent, answer: Answer) -> None:
        for running in answer.calls:
            name, given = WRITTEN[running.move.tool], json.dumps(_given(running))
            self.line(agent, "response_item", "function_call", name=name, arguments=given, call_id=running.id)
        if not answer.calls:
            self.line(agent, "response_item", "message", role="assistant", content=[])

    def calls(self, running: Running) -> Play:
        yield from self.hook("PreToolUse", running.agent, **_tool(running), tool_use_id=running.id)

    def asks(self, running: Running) -> Play:
        if not running.is_question:
            asked = _tool(running)
            asked["tool_input"] = {**asked["tool_input"], "description": "Do you want to run it?"}
            yield from self.hook("PermissionRequest", running.agent, **asked)

    def ran(self, running: Running) -> Play:
        self.line(running.agent, "response_item", "function_call_output", call_id=running.id, output="some output")
        answer = json.dumps({"agent_id": running.started}) if running.started else "some output"
        more = {**_tool(running), "tool_use_id": running.id, "tool_response": answer}
        yield from self.hook("PostToolUse", running.agent, **more)

    def turn_ends(self, agent: Agent) -> Play:
        yield from self.hook("Stop", agent, stop_hook_active=False)
        self.line(agent, "event_msg", "task_complete", turn_id=agent.turn, error=None)

    def fails(self, agent: Agent, _error: str) -> Play:
        told = {"message": "scripted", "codex_error_info": "internal_server_error"}
        self.line(agent, "event_msg", "task_complete", turn_id=agent.turn, error=told)
        yield from ()

    def escape(self) -> None:
        """What becomes of its sub-agents then is not known."""
        if not self.main.company:
            super().escape()

    def is_refused(self, running: Running) -> Play:
        """It ends the turn of the agent that has asked."""
        self.world.stage.after(0.0, lambda: running.agent.throw(EscapeError(at_dialog=True)))
        yield Signal()

    def cut_off(self, agent: Agent, cut: Cut) -> Play:
        for running in cut.calls:
            output = {"call_id": running.id, "output": ABORTED}
            self.line(agent, "response_item", "function_call_output", **output)
        yield from self.hook("Interrupt", agent)
        self.line(agent, "event_msg", "turn_aborted", turn_id=agent.turn, reason="interrupted")

    def sub_begins(self, sub: Agent, running: Running) -> Play:
        running.started = sub.key
        yield from self.hook("SubagentStart", sub)

    def sub_prompted(self, sub: Agent) -> Play:
        self._begins_turn(sub)
        yield from self.hook("UserPromptSubmit", sub, prompt="do it")

    def sub_ends(self, sub: Agent) -> Play:
        yield from self.hook("SubagentStop", sub)
        self.line(sub, "event_msg", "task_complete", turn_id=sub.turn, error=None)

    def sub_cut_off(self, sub: Agent) -> Play:
        yield from self.cut_off(sub, Cut("", (), at_dialog=True))

    # --- compaction

    def compact(self, takes: float) -> None:
        if self.is_told and not self.is_at_work:
            self.main.is_in_turn, self.main.why = True, None
            self.main.actor = self.play(self._compacts(takes))

    def _compacts(self, takes: float) -> Play:
        """A turn without a prompt and without a Stop; nobody interrupts it here."""
        self.main.phase = STOP
        self._begins_turn(self.main)
        yield from self.hook("PreCompact", self.main, trigger="manual")
        yield takes
        self.voice.write(self.path(self.main), {"timestamp": self.stamp, "type": "compacted", "payload": {}}, LINE)
        self.main.is_in_turn, self.main.why = False, PLAIN  # it rests since its last turn
        yield from self.hook("PostCompact", self.main, trigger="manual")
        self.line(self.main, "event_msg", "task_complete", turn_id="", error=None)


def _given(running: Running) -> Record:
    move = running.move
    if move.tool == "Bash":
        return {"command": move.target}
    if running.is_question:
        return {"questions": [{"id": "q", "header": "Which", "question": move.target}]}
    return {"message": "do it", "agent_type": "worker"}


def _tool(running: Running) -> Record:
    return {"tool_name": NAMES[running.move.tool], "tool_input": _given(running)}


MODEL = Codex
