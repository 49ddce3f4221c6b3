"""Qwen Code: its events and the keys of its payloads, in our words. Every end of a turn is told, so is an approval."""

from __future__ import annotations

from recorder.change import Change, about, second

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from recorder.change import Kind

    Payload = dict[str, Any]
    Details = dict[str, Any]

# Its tools by the names that our rules know.
TOOLS = {
    "run_shell_command": "Bash", "ask_user_question": "AskUserQuestion", "exit_plan_mode": "ExitPlanMode",
    "agent": "Agent", "write_file": "Write", "edit": "Edit", "read_file": "Read", "web_fetch": "WebFetch",
    "grep_search": "Grep", "glob": "Glob", "skill": "Skill",
}  # fmt: skip
TARGETS = {
    "run_shell_command": "command", "agent": "description", "write_file": "file_path", "edit": "file_path",
    "read_file": "file_path", "web_fetch": "url", "grep_search": "pattern", "glob": "pattern", "skill": "skill",
}  # fmt: skip
QUESTIONS = ("ask_user_question", "exit_plan_mode")
AT_REST = "idle_prompt"  # it waits for the person, however the turn ended


def process(_env: Mapping[str, str]) -> tuple[str, str, bool]:
    """It says nothing of it: the hook's parent is the client."""
    return "", "", False


def plugin(_env: Mapping[str, str]) -> str:
    return ""


def notice(_words: str, _env: Mapping[str, str]) -> Details:
    return {}


def translate(payload: Payload) -> tuple[Change, ...]:
    name = payload.get("hook_event_name")
    if not isinstance(name, str) or name not in EVENTS:
        raise ValueError("the event's name is none we listen to")
    told = [(kind, details(payload)) for kind, details in EVENTS[name]]
    common = _common(name, payload)
    return tuple([Change(kind, **common, **details) for kind, details in told if details is not None])


def _common(name: str, payload: Payload) -> Details:
    get, agent = payload.get, payload.get("agent_id")
    is_sub_agent = isinstance(agent, str) and agent != ""
    return {
        "event": name, "session": get("session_id"), "agent": agent if is_sub_agent else "main",
        "type": get("agent_type"), "cwd": get("cwd"), "mode": get("permission_mode"),
        "transcript": get("agent_transcript_path" if is_sub_agent else "transcript_path"),
    }  # fmt: skip


def _nothing(_payload: Payload) -> Details:
    return {}


def _start(payload: Payload) -> Details:
    return {"source": payload.get("source")}


def _prompt(payload: Payload) -> Details | None:
    """An empty one comes before each further request to the model. A turn has no id: its time tells it from others."""
    return {"turn": payload.get("timestamp")} if payload.get("prompt") else None


def _call(payload: Payload) -> Details:
    tool, given = payload.get("tool_name"), payload.get("tool_input")
    return {
        "call": payload.get("tool_use_id"), "tool": TOOLS.get(tool, tool) if isinstance(tool, str) else "",
        "given": given, "about": about(TARGETS, tool, given),
    }  # fmt: skip


def _asked(payload: Payload) -> Details:
    return {**_call(payload), "ahead": True}


def _approved(payload: Payload) -> Details:
    """It runs none of the calls of one message before all of them are answered."""
    return {**_call(payload), "settles": True}


def _runs(payload: Payload) -> Details | None:
    """A question has been answered by now: nothing runs."""
    return None if payload.get("tool_name") in QUESTIONS else _call(payload)


def _at_rest(payload: Payload) -> Details | None:
    """Sub-agents that were interrupted have no end of their own: who waits for the person has none any more."""
    if payload.get("notification_type") != AT_REST:
        return None
    return {"turn": payload.get("timestamp"), "said": second(payload.get("timestamp")), "tasks": []}


def _failure(payload: Payload) -> Details:
    return {"error": payload.get("error")}


def _reason(payload: Payload) -> Details:
    return {"word": payload.get("reason")}


# What each event tells, in order. A call begins after the person has approved it.
EVENTS: dict[str, tuple[tuple[Kind, Callable[[Payload], Details | None]], ...]] = {
    "SessionStart": (("session started", _start),),
    "UserPromptSubmit": (("prompted", _prompt),),
    "PermissionRequest": (("asked", _asked),),
    "PreToolUse": (("approved", _approved), ("call began", _runs)),
    "PostToolUse": (("call ended", _call),),
    "PostToolUseFailure": (("call ended", _call),),
    "Notification": (("at rest", _at_rest),),
    "SubagentStart": (("agent started", _nothing),),
    "SubagentStop": (("agent stopped", _nothing),),
    "Stop": (("turn ended", _nothing),),
    "StopFailure": (("turn failed", _failure),),
    "SessionEnd": (("session ended", _reason),),
}
