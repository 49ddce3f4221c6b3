"""Gemini CLI: its events and the keys of its payloads, in our words. It has no ids of calls, turns and agents.

What a sub-agent does, it tells as if the main agent did it.
"""

from __future__ import annotations

from recorder.change import Change, about

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from recorder.change import Kind

    Payload = dict[str, Any]
    Details = dict[str, Any]

# Its tools by the names that our rules know.
TOOLS = {
    "run_shell_command": "Bash", "ask_user": "AskUserQuestion", "exit_plan_mode": "ExitPlanMode",
    "invoke_agent": "Agent", "write_file": "Write", "replace": "Edit", "read_file": "Read", "web_fetch": "WebFetch",
    "google_web_search": "WebSearch", "grep_search": "Grep", "glob": "Glob", "activate_skill": "Skill",
}  # fmt: skip
TARGETS = {
    "run_shell_command": "command", "invoke_agent": "agent_name", "write_file": "file_path", "replace": "file_path",
    "read_file": "file_path", "google_web_search": "query", "grep_search": "pattern", "glob": "pattern",
    "activate_skill": "name",
}  # fmt: skip
ASKS = "ToolPermission"
# What it asks for: by the type of the request the tool, and what of it is in the tool's input too.
ASKED = {
    "exec": ("run_shell_command", "command"), "sandbox_expansion": ("run_shell_command", "command"),
    "edit": ("replace", "filePath"), "ask_user": ("ask_user", ""), "exit_plan_mode": ("exit_plan_mode", ""),
}  # fmt: skip
REQUESTED = ("run_shell_command", "write_file", "replace")
TITLES = {"Confirm Write": "write_file", "Confirm Web Fetch": "web_fetch", "Activate Skill": "activate_skill"}


def process(_env: Mapping[str, str]) -> tuple[str, str, bool]:
    """It says nothing of it: the hook's parent is the client."""
    return "", "", False


def plugin(_env: Mapping[str, str]) -> str:
    return ""


def notice(_words: str, _env: Mapping[str, str]) -> Details:
    return {}


def translate(payload: Payload) -> tuple[Change, ...]:
    name, get = payload.get("hook_event_name"), payload.get
    if not isinstance(name, str) or name not in EVENTS:
        raise ValueError("the event's name is none we listen to")
    kind, details = EVENTS[name]
    told = details(payload)
    if told is None:
        return ()
    common = {
        "event": name, "session": get("session_id"), "cwd": get("cwd"), "transcript": get("transcript_path"),
    }  # fmt: skip
    return (Change(kind, **common, **told),)


def _nothing(_payload: Payload) -> Details:
    return {}


def _start(payload: Payload) -> Details:
    return {"source": payload.get("source")}


def _prompt(payload: Payload) -> Details:
    """A turn has no id: its time tells it from others."""
    return {"turn": payload.get("timestamp")}


def _begun(payload: Payload) -> Details:
    return {**_call(payload), "moment": payload.get("timestamp")}


def _call(payload: Payload) -> Details:
    """A request tells of a command or a file alone: by that its call is found again, any other by its whole input."""
    tool, given = payload.get("tool_name"), payload.get("tool_input")
    key = TARGETS.get(tool) if tool in REQUESTED else None
    word = given.get(key) if key and isinstance(given, dict) else None
    return _named(tool, given if word is None else word, about(TARGETS, tool, given))


def _asked(payload: Payload) -> Details | None:
    """It names no tool. What it does name is compared with the calls that have begun."""
    told = payload.get("details")
    if payload.get("notification_type") != ASKS or not isinstance(told, dict):
        return None
    kind, title = told.get("type"), told.get("title")
    tool, key = ASKED.get(kind, ("", "")) if isinstance(kind, str) else ("", "")
    tool = TITLES.get(title.partition(":")[0], tool) if isinstance(title, str) else tool
    server, name = told.get("serverName"), told.get("toolName")
    if kind == "mcp" and isinstance(server, str) and isinstance(name, str):
        tool = f"mcp_{server}_{name}"
    word = told.get(key)
    return _named(tool, word, word.rsplit("/", 1)[-1] if kind == "edit" and isinstance(word, str) else word)


def _named(tool: Any, given: Any, word: Any) -> Details:
    """`given`: of its input that by which the call is found again, as not every event has the whole."""
    name = TOOLS.get(tool, tool) if isinstance(tool, str) else ""
    return {"nameless": True, "tool": name, "given": given, "about": word}


def _reason(payload: Payload) -> Details:
    return {"word": payload.get("reason")}


# A call begins before anybody is asked for it. That it was rejected, no event tells.
EVENTS: dict[str, tuple[Kind, Callable[[Payload], Details | None]]] = {
    "SessionStart": ("session started", _start),
    "BeforeAgent": ("prompted", _prompt),
    "BeforeTool": ("call began", _begun),
    "Notification": ("asked", _asked),
    "AfterTool": ("call ended", _call),
    "AfterAgent": ("turn ended", _nothing),
    "SessionEnd": ("session ended", _reason),
}
