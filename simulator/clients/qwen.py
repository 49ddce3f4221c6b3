"""Qwen Code: hooks that tell every request, every answer and every end. A call begins when it is approved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simulator.clients.terminal import FOLDER, Terminal

if TYPE_CHECKING:
    from simulator.clients.agent import Agent
    from simulator.clients.calls import Cut, Running
    from simulator.lines import Record
    from simulator.stage import Play

TOOLS = {
    "Bash": "run_shell_command", "Edit": "edit", "Write": "write_file", "AskUserQuestion": "ask_user_question",
    "Agent": "agent",
}  # fmt: skip


class Qwen(Terminal):
    name = "qwen"
    program = ("/usr/bin/node", "/usr/local/bin/qwen")
    subs_ask_on_main = True
    subs_may_be_refused = False
    has_queue = True
    asks_first = together = True

    def is_told_once(self, payload: Record) -> bool:
        """A sub-agent in the background would go on."""
        return payload["hook_event_name"] in ("SubagentStart", "SubagentStop")

    def payload(self, event: str, **more: Any) -> Record:
        path = f"{self.home}/.qwen/projects/-home-me-proj/chats/{self.session}.jsonl"
        base = {"session_id": self.session, "transcript_path": path, "cwd": FOLDER}
        return {**base, "hook_event_name": event, "timestamp": self.stamp, **more}

    def hook(self, event: str, **more: Any) -> Play:
        yield from self.voice.hook(self.payload(event, **more))

    def notify(self, kind: str) -> None:
        """The client does not wait for these."""
        self.voice.async_hook(self.payload("Notification", notification_type=kind, message=kind))

    def begins(self, source: str) -> Play:
        yield from self.hook("SessionStart", source=source)

    def clears(self) -> Play:
        yield from self.hook("SessionEnd", reason="clear")

    def leaves(self) -> Play:
        yield from self.hook("SessionEnd", reason="prompt_input_exit")

    def prompted(self, _agent: Agent) -> Play:
        yield from self.hook("UserPromptSubmit", prompt="please do it")

    def asks_model_again(self, agent: Agent) -> Play:
        if agent.is_main:
            yield from self.hook("UserPromptSubmit", prompt="")

    def asks(self, running: Running) -> Play:
        yield from self.hook("PermissionRequest", **_tool(running))

    def shows(self, _running: Running) -> None:
        self.notify("permission_prompt")

    def allowed(self, running: Running) -> Play:
        yield from self.hook("PreToolUse", **_tool(running), tool_use_id=running.id)

    def ran(self, running: Running) -> Play:
        event = "PostToolUseFailure" if running.move.fails else "PostToolUse"
        yield from self.hook(event, **_tool(running), tool_use_id=running.id)

    def turn_ends(self, _agent: Agent) -> Play:
        yield from self.hook("Stop", stop_hook_active=True)
        self.notify("idle_prompt")

    def fails(self, _agent: Agent, error: str) -> Play:
        yield from self.hook("StopFailure", error=error)
        self.notify("idle_prompt")

    def cut_off(self, agent: Agent, cut: Cut) -> Play:
        for running in cut.calls:
            if running.was_allowed and running.agent is agent:
                yield from self.hook("PostToolUseFailure", **_tool(running), tool_use_id=running.id)
        self.notify("idle_prompt")

    def sub_begins(self, sub: Agent, _running: Running) -> Play:
        yield from self.hook("SubagentStart", agent_id=sub.key, agent_type="general-purpose")

    def sub_ends(self, sub: Agent) -> Play:
        yield from self.hook("SubagentStop", agent_id=sub.key, agent_type="general-purpose")


def _tool(running: Running) -> Record:
    move = running.move
    given = {
        "Bash": {"command": move.target, "description": "run it", "is_background": False},
        "AskUserQuestion": {"questions": [{"question": move.target, "header": "Which", "options": []}]},
        "Agent": {"description": move.target, "prompt": "do it", "subagent_type": "general-purpose"},
    }
    return {"tool_name": TOOLS[move.tool], "tool_input": given.get(move.tool, {"file_path": f"{FOLDER}/{move.target}"})}


MODEL = Qwen
