"""Gemini CLI: hooks without ids, which it waits for; its transcript for rejections, its children for approvals.

Sub-agents act in the main agent's name. It runs nothing before everything that it asks for is answered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simulator.agent import TOOL
from simulator.clients.doubts import REFUSED, UNTOLD_YES
from simulator.clients.terminal import FOLDER, Terminal
from simulator.outlet import EscapeError
from simulator.program import NO
from simulator.stage import Signal

if TYPE_CHECKING:
    from simulator.clients.agent import Agent
    from simulator.clients.calls import Answer, Cut, Running
    from simulator.lines import Record
    from simulator.stage import Play
    from simulator.truth import Episode

TOOLS = {
    "Bash": "run_shell_command", "Edit": "replace", "Write": "write_file", "AskUserQuestion": "ask_user",
    "Agent": "invoke_agent",
}  # fmt: skip
TITLES = {"Bash": "Confirm Shell Command", "Edit": "Confirm Edit: ", "Write": "Confirm Write: ", "AskUserQuestion": ""}
LINE = "gemini line"
CANCELLED = "Request cancelled."
QUITS = 3  # so often it says goodbye


class Gemini(Terminal):
    name = "gemini"
    program = ("/usr/bin/node", "--max-old-space-size=4096", "/usr/local/bin/gemini")
    asks_first = together = True
    has_rows = False
    subs_ask_on_main = True
    has_queue = True

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._untold: Episode | None = None
        self._refused: Episode | None = None

    # --- its files

    @property
    def _chats(self) -> str:
        return f"{self.home}/.gemini/tmp/proj/chats"

    def _new_path(self) -> str:
        return f"{self._chats}/session-{self.world.number('chat'):03}-{self.session[:8]}.jsonl"

    def path(self, agent: Agent) -> str:
        return self._path if agent.is_main else f"{self._chats}/{self.session}/{agent.key}.jsonl"

    _path = ""

    def line(self, agent: Agent, kind: str, content: Any, **more: Any) -> None:
        record = {"id": f"r{self.world.number('record')}", "timestamp": self.stamp, "type": kind, "content": content}
        self.voice.write(self.path(agent), {**record, **more}, LINE)

    def _first_line(self, path: str, name: str, kind: str) -> None:
        first = {"sessionId": name, "projectHash": "0", "startTime": self.stamp, "lastUpdated": self.stamp}
        self.voice.write(path, {**first, "kind": kind}, LINE)
        self.voice.write(path, {"$set": {"messages": [], "lastUpdated": self.stamp}}, LINE)

    # --- its hooks

    def payload(self, event: str, **more: Any) -> Record:
        base = {"session_id": self.session, "transcript_path": self._path, "cwd": FOLDER}
        return {**base, "hook_event_name": event, "timestamp": self.stamp, **more}

    def hook(self, event: str, **more: Any) -> Play:
        yield from self.voice.hook(self.payload(event, **more))

    def begins(self, source: str) -> Play:
        before, self._path = self._path_before(), self._new_path()
        self._first_line(self._path, self.session, "main")
        yield from self.hook("SessionStart", source=source)
        self._path = before if before and source == "resume" else self._path

    def _path_before(self) -> str:
        """What is resumed goes on in the file that it had, beside a new one."""
        others = [one for one in self.world.clients if isinstance(one, Gemini) and one is not self]
        return next((one.goes_on_in for one in reversed(others) if one.session == self.session), "")

    @property
    def goes_on_in(self) -> str:
        return self._path

    def clears(self) -> Play:
        yield from self.hook("SessionEnd", reason="clear")

    def leaves(self) -> Play:
        for _ in range(QUITS):
            yield from self.hook("SessionEnd", reason="exit")

    def prompted(self, agent: Agent) -> Play:
        yield from self.hook("BeforeAgent", prompt="please do it")
        self.line(agent, "user", [{"text": "please do it"}])

    def said(self, agent: Agent, answer: Answer) -> None:
        self.line(agent, "gemini", "" if answer.calls else "some words")

    def calls(self, running: Running) -> Play:
        yield from self.hook("BeforeTool", tool_name=TOOLS[running.move.tool], tool_input=_given(running))

    def asks(self, running: Running) -> Play:
        note = {"notification_type": "ToolPermission", "message": "it asks", "details": _details(running)}
        yield from self.hook("Notification", **note)

    def is_refused(self, running: Running) -> Play:
        """The others of its message go on, and so does a sub-agent."""
        running.ends()
        yield from ()

    def call(self, running: Running) -> Play:
        yield from self.call_in_order([running])

    def call_in_order(self, all_of_them: list[Running]) -> Play:
        yield from super().call_in_order(all_of_them)
        if all_of_them[0].agent.is_main and all(running.answer == NO for running in all_of_them):
            self.world.stage.after(0.0, lambda: self.main.throw(EscapeError(at_dialog=True)))
            yield Signal()

    def all_answered(self, calls: list[Running]) -> None:
        """Nothing tells, until one that was asked for is seen to run, or has; or the model has all results."""
        if any(running.answer == NO for running in calls):
            self._refused = self.world.truth.begin(REFUSED, calls[0].deal.key, self.world.now)
        if any(running.move.ask for running in calls):
            self._untold = self.world.truth.begin(UNTOLD_YES, calls[0].deal.key, self.world.now)

    def command_runs(self, running: Running) -> None:
        self._is_known(running)

    def shell(self, command: str) -> tuple[str, ...]:
        noted = (
            f"shopt -u promptvars; _bgpids_file=/tmp/gemini-shell-1/bgpids.tmp\n(\n  trap 'jobs -p' EXIT\n{command}\n)"
        )
        return ("/usr/bin/bash", "-c", f"{noted}\n__code=$?\nexit $__code")

    def ran(self, running: Running) -> Play:
        self._is_known(running)
        yield from self.hook(
            "AfterTool", tool_name=TOOLS[running.move.tool], tool_input=_given(running), tool_response={}
        )

    def _is_known(self, running: Running | None = None) -> None:
        if self._untold and (running is None or running.move.ask):
            self._untold.end = self.world.now
            self._untold = None

    def took_in(self, agent: Agent, calls: list[Running]) -> None:
        self._is_known()
        if self._refused:
            self._refused.end, self._refused = self.world.now, None
        status = [{"id": running.id, "status": "cancelled" if running.answer == NO else "success"} for running in calls]
        self.line(agent, "gemini", "", toolCalls=status)
        self.line(agent, "user", [{"functionResponse": {"id": running.id, "response": {}}} for running in calls])

    def turn_ends(self, _agent: Agent) -> Play:
        yield from self.hook("AfterAgent", prompt="please do it")

    def fails(self, agent: Agent, _error: str) -> Play:
        words = '[API Error: {"error":{"message":"scripted","status":"RESOURCE_EXHAUSTED"}}]'
        self.line(agent, "error", words)
        self.line(agent, "info", "This request failed. Press F12 for diagnostics")
        yield from self.hook("AfterAgent", prompt="please do it")

    def cut_off(self, agent: Agent, cut: Cut) -> Play:
        self._is_known()
        self.line(agent, "info", CANCELLED)
        if cut.at_dialog:
            self.line(agent, "user", [{"text": "please do it"}])
        elif cut.phase == TOOL:
            for running in [
                one for one in cut.calls if one.agent is agent and one.was_allowed and one.move.tool != "Agent"
            ]:
                yield from self.ran(running)
            self.line(
                agent, "user", [{"functionResponse": {"id": running.id, "response": {}}} for running in cut.calls]
            )
        else:
            yield from self.turn_ends(agent)

    def sub_begins(self, sub: Agent, _running: Running) -> Play:
        self._first_line(self.path(sub), sub.key, "subagent")
        self.line(sub, "user", [{"text": "do it"}])
        yield from ()

    def sub_ends(self, sub: Agent) -> Play:
        self.voice.write(self.path(sub), {"$set": {"summary": "it is done"}}, LINE)
        yield from ()


def _given(running: Running) -> Record:
    move = running.move
    given: Record = {
        "Bash": {"command": move.target, "description": "run it"},
        "AskUserQuestion": {"questions": [{"question": move.target, "header": "Which", "type": "choice"}]},
        "Agent": {"agent_name": move.target, "prompt": "do it"},
    }
    found: Record = given.get(move.tool, {"file_path": f"{FOLDER}/{move.target}", "content": "hi"})
    return found


def _details(running: Running) -> Record:
    move = running.move
    if move.tool == "Bash":
        return {"type": "exec", "title": TITLES["Bash"], "command": move.target}
    if running.is_question:
        return {"type": "ask_user", "title": "", "questions": []}
    return {"type": "edit", "title": TITLES[move.tool] + move.target, "filePath": f"{FOLDER}/{move.target}"}


MODEL = Gemini
