"""Copilot CLI: hooks for turns and dialogs, its list of open sessions, and a file of events for each session."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from simulator.agent import FIRST
from simulator.bounds import chance
from simulator.clients.doubts import HANGING, UNLISTED
from simulator.clients.terminal import FOLDER, Terminal
from simulator.observation import event_of
from simulator.truth import PROMPTLY, Episode

if TYPE_CHECKING:
    from simulator.clients.agent import Agent
    from simulator.clients.calls import Answer, Cut, Running
    from simulator.lines import Record
    from simulator.stage import Play

TOOLS = {"Bash": "bash", "Edit": "edit", "Write": "create", "AskUserQuestion": "ask_user", "Agent": "task"}
LINE, LISTED = "events line", "open sessions"
APPROVED = {"kind": "approved"}
ABORTED = {"kind": "cancelled", "reason": "Session aborted"}
HANGS = 0.3  # of those who take a prompt back: they go on to say that they work
# Its files tell the same.
TOLD_BY_FILES = ("SessionStart", "UserPromptSubmit", "Notification", "Stop", "SubagentStop")


class Copilot(Terminal):
    name = "copilot"
    program = ("/usr/local/bin/copilot",)
    together = True
    has_queue = True
    told_otherwise = TOLD_BY_FILES

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._kept = 0  # lines of its file that no interruption takes back
        self._opened = ""
        self._is_first = True  # prompt of this session
        self._source = "new"
        self.listed: dict[str, Record] = {}  # by session
        self._is_only_listed = False  # that it rests
        self._noted = 0.0  # when the list is written next

    def is_told_once(self, payload: Record) -> bool:
        """Where there are hooks, they tell which sub-agents there are."""
        return event_of(payload) == "SubagentStart"

    # --- its files

    def _folder(self, session: str = "") -> str:
        return f"{self.home}/.copilot/session-state/{session or self.session}"

    @property
    def path(self) -> str:
        return f"{self._folder()}/events.jsonl"

    def line(self, kind: str, agent: Agent | None = None, **data: Any) -> None:
        sub = {"agentId": agent.key} if agent and not agent.is_main else {}
        self.voice.write(self.path, {"type": kind, "data": data, **sub, "timestamp": self.stamp}, LINE)

    def _lock(self) -> None:
        self.voice.replace(f"{self._folder()}/inuse.{self.pid}.lock", f"{self.pid}\n".encode())

    def _works(self, *, working: bool) -> None:
        """Its entry in the list changes, and is written a moment later."""
        session = self.session
        delay = self.world.delay(LISTED, str(self.world.number("listed")))
        delay += 0.0 if working else self.voice.flushed(self.path)  # what it rests from is written before
        self._noted = max(self._noted + 0.001, self.world.now + delay)
        self.world.stage.at(self._noted, lambda: self._note(session, working))

    def _note(self, session: str, working: bool | None) -> None:
        if self.voice.is_dead:
            return
        at = self.listed.get(session, {}).get("openedAt", self.stamp)
        self.listed[session] = {"schemaVersion": 1, "openedAt": at, "refreshedAt": self.stamp, "working": working}
        if working is None:
            del self.listed[session]
        self._write_list()

    def _write_list(self) -> None:
        """All of its processes write to one file; who was killed stays in it."""
        others = [one for one in self.world.clients if isinstance(one, Copilot)]
        listed = {session: entry for one in others for session, entry in one.listed.items()}
        self.voice.replace(f"{self.home}/.copilot/open-sessions-state.json", json.dumps(listed).encode())

    # --- its hooks

    def payload(self, event: str, **more: Any) -> Record:
        base = {"hook_event_name": event, "session_id": self.session, "timestamp": self.stamp, "cwd": FOLDER}
        return {**base, **more}

    def notify(self, kind: str) -> None:
        """In the client's own words, which name no agent."""
        base = {"sessionId": self.session, "timestamp": int(self.world.wall(self.world.now) * 1000), "cwd": FOLDER}
        self.voice.async_hook({**base, "hook_event_name": "Notification", "notification_type": kind, "message": "it"})

    def begins(self, source: str) -> Play:
        """What is resumed is listed, but its lock comes with the first prompt."""
        self._source, self._is_first = ("resume" if source == "resume" else "new"), True
        if source == "resume":
            self.unbegun = self.unbegun or self.begin_unseen()
        else:
            self._lock()
        self._works(working=False)
        yield from ()

    def clears(self) -> Play:
        session = self.session
        yield from self.voice.hook(self.payload("SessionEnd", reason="user_exit"))
        self.line("session.shutdown", shutdownType="routine")
        self.world.stage.after(self.world.delay(LISTED, f"left {session}"), lambda: self._note(session, None))

    def leaves(self) -> Play:
        if self._is_only_listed:
            self.world.truth.episodes.append(Episode(UNLISTED, (self.label, ""), self.world.now, self.world.now))
        self._note(self.session, None)
        yield from self.voice.hook(self.payload("SessionEnd", reason="user_exit"))
        self.line("session.shutdown", shutdownType="routine")
        yield self.voice.flushed(self.path)
        self.voice.replace(f"{self._folder()}/inuse.{self.pid}.lock", None)

    def prompted(self, _agent: Agent) -> Play:
        self._is_only_listed = False
        if self._is_first:
            self._lock()
            self.voice.async_hook(self.payload("SessionStart", source=self._source, initial_prompt="please do it"))
            self.line("session.resume" if self._source == "resume" else "session.start")
            self._is_first = False
        self._kept = self.voice.lines(self.path)
        yield from self.voice.hook(self.payload("UserPromptSubmit", prompt="please do it"))
        self._works(working=True)
        self.line("user.message")
        self.line("assistant.turn_start", turnId="0")

    def asks_model_again(self, agent: Agent) -> Play:
        self.line("assistant.turn_end", agent, turnId="0")
        self.line("assistant.turn_start", agent, turnId="1")
        yield from ()

    def said(self, agent: Agent, answer: Answer) -> None:
        asked = [{"toolCallId": running.id, "name": TOOLS[running.move.tool]} for running in answer.calls]
        if answer.calls or answer.is_last:
            self.line("assistant.message", agent, toolRequests=asked)

    def calls(self, running: Running) -> Play:
        name, given = TOOLS[running.move.tool], _given(running)
        self.line("tool.execution_start", running.agent, toolCallId=running.id, toolName=name, arguments=given)
        if running.is_question:
            self.notify("elicitation_dialog")
        yield from ()

    def asks(self, running: Running) -> Play:
        if not running.is_question:
            self.notify("permission_prompt")
            asked = {"requestId": running.request, "permissionRequest": _request(running)}
            self.line("permission.requested", running.agent, **asked)
        yield from ()

    def _answered(self, running: Running, result: Record) -> None:
        about = {"requestId": running.request, "toolCallId": running.id, "result": result}
        self.line("permission.completed", running.agent, **about)

    def allowed(self, running: Running) -> Play:
        if running.move.ask and not running.is_question:
            self._answered(running, APPROVED)
        yield from ()

    def ran(self, running: Running) -> Play:
        self.line("tool.execution_complete", running.agent, toolCallId=running.id, success=not running.move.fails)
        yield from ()

    def turn_ends(self, _agent: Agent) -> Play:
        self.line("assistant.turn_end", turnId="0")
        yield from self.voice.hook(self.payload("Stop", transcript_path=self.path, stop_reason="end_turn"))
        if not self.queue:
            self._works(working=False)

    def fails(self, _agent: Agent, _error: str) -> Play:
        self.line("assistant.turn_end", turnId="0")
        self.line("session.error", errorType="query", message="scripted", statusCode=429)
        self._works(working=False)
        yield from ()

    def cut_off(self, agent: Agent, cut: Cut) -> Play:
        """Before any output the prompt is taken back, and with it what the file has of it."""
        if cut.phase == FIRST:
            self._is_only_listed = True
            now = self.world.now
            self.world.truth.episodes.append(Episode(UNLISTED, agent.truth_key, now, now + PROMPTLY))
            is_written = self.voice.cut(self.path, self._kept)
            is_listed = self._noted <= self.world.now  # as one that works
            if is_written and is_listed and chance(self.world.program.seed, f"hangs {self.world.now}") < HANGS:
                self.doubts.append(self.world.truth.begin(HANGING, agent.truth_key, self.world.now))
                return
        else:
            for running in [one for one in cut.calls if cut.at_dialog and one.dialog and not one.was_allowed]:
                self._answered(running, ABORTED)
            self.line("assistant.turn_end", turnId="0")
            self.line("abort", reason="user_initiated" if cut.at_dialog else "user_abort")
        self._works(working=False)
        yield from ()

    def sub_begins(self, sub: Agent, running: Running) -> Play:
        about = {"agentName": "general-purpose", "agentType": "general-purpose", "executionMode": "sync"}
        self.line("subagent.started", sub, toolCallId=running.id, **about)
        told = {**self._sub(sub), "sessionId": self.session, "transcriptPath": self.path, "cwd": FOLDER}
        yield from self.voice.hook({**told, "agentName": "general-purpose"})

    def _sub(self, sub: Agent) -> Record:
        return {"agent_id": sub.key, "agent_type": "general-purpose", "parent_agent_id": self.session}

    def sub_prompted(self, sub: Agent) -> Play:
        told = {**self.payload("UserPromptSubmit", prompt="do it"), **self._sub(sub), "session_id": sub.key}
        yield from self.voice.hook(told)
        self.line("user.message", sub)
        self.line("assistant.turn_start", sub, turnId="0")

    def sub_ends(self, sub: Agent) -> Play:
        more = {**self._sub(sub), "transcript_path": self.path}
        self.line("assistant.turn_end", sub, turnId="0")
        yield from self.voice.hook({**self.payload("Stop", **more), "session_id": sub.key})
        yield from self.voice.hook(self.payload("SubagentStop", **more))
        self.line("subagent.completed", sub, toolCallId="", agentName="general-purpose")


def _given(running: Running) -> Record:
    move = running.move
    given: Record = {
        "Bash": {"command": move.target, "description": "run it", "mode": "sync", "initial_wait": 30},
        "AskUserQuestion": {"message": move.target, "requestedSchema": {}},
        "Agent": {"description": move.target, "prompt": "do it", "agent_type": "general-purpose", "name": "kid"},
    }
    found: Record = given.get(move.tool, {"path": f"{FOLDER}/{move.target}"})
    return found


def _request(running: Running) -> Record:
    move = running.move
    if move.tool == "Bash":
        return {"kind": "shell", "toolCallId": running.id, "fullCommandText": move.target, "intention": "run it"}
    return {"kind": "write", "toolCallId": running.id, "fileName": f"{FOLDER}/{move.target}"}


MODEL = Copilot
