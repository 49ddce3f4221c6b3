"""OpenCode: what its plugin of ours (`plugins/opencode/yourturn.js`) hands on, in our words.

A sub-agent has a session of its own; the plugin tells it as an agent of the session that started it.
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
    "bash": "Bash", "edit": "Edit", "write": "Write", "read": "Read", "glob": "Glob", "grep": "Grep",
    "webfetch": "WebFetch", "websearch": "WebSearch", "task": "Agent", "skill": "Skill", "question": "AskUserQuestion",
}  # fmt: skip
TARGETS = {
    "bash": "command", "edit": "filePath", "write": "filePath", "read": "filePath", "glob": "pattern",
    "grep": "pattern", "webfetch": "url", "websearch": "query", "task": "description", "skill": "name",
}  # fmt: skip


def process(_env: Mapping[str, str]) -> tuple[str, str, bool]:
    """The plugin runs in the client, so the hook's parent is the client."""
    return "", "", False


def plugin(_env: Mapping[str, str]) -> str:
    return ""


def notice(_words: str, _env: Mapping[str, str]) -> Details:
    return {}


def translate(payload: Payload) -> tuple[Change, ...]:
    name, agent, get = payload.get("event"), payload.get("agent"), payload.get
    if not isinstance(name, str) or name not in EVENTS:
        raise ValueError("the event's name is none we listen to")
    is_sub_agent = isinstance(agent, str) and agent != ""
    main, sub_agent, details = EVENTS[name]
    common = {
        "event": name, "session": get("session"), "agent": agent if is_sub_agent else "main",
        "type": get("type"), "cwd": get("cwd"),
    }  # fmt: skip
    told = Change(sub_agent if is_sub_agent else main, **common, **details(payload))
    source = get("source")  # with the first prompt of a session, and with the first after another one
    return (Change("session started", **common, source=source), told) if source else (told,)


def _nothing(_payload: Payload) -> Details:
    return {}


def _turn(payload: Payload) -> Details:
    return {"turn": payload.get("turn")}


def _call(payload: Payload) -> Details:
    tool, given = payload.get("tool"), payload.get("about")
    return {
        "call": payload.get("call"), "tool": TOOLS.get(tool, tool) if isinstance(tool, str) else "",
        "given": given, "about": _target(tool, given),
    }  # fmt: skip


def _target(tool: Any, given: Any) -> Any:
    word = about(TARGETS, tool, given)
    is_path = isinstance(tool, str) and TARGETS.get(tool) == "filePath"
    return word.rsplit("/", 1)[-1] if is_path and isinstance(word, str) else word


def _failure(payload: Payload) -> Details:
    return {"error": payload.get("error")}


def _reason(_payload: Payload) -> Details:
    return {"word": "exit"}


# What each event tells of a session, what of a sub-agent, and the details. A rejected call never runs.
EVENTS: dict[str, tuple[Kind, Kind, Callable[[Payload], Details]]] = {
    "session.busy": ("prompted", "agent started", _turn),
    "tool.began": ("call began", "call began", _call),
    "permission.asked": ("asked", "asked", _call),
    "permission.approved": ("approved", "approved", _call),
    "permission.rejected": ("call ended", "call ended", _call),
    "question.asked": ("asked", "asked", _call),
    "question.answered": ("approved", "approved", _call),
    "tool.ended": ("call ended", "call ended", _call),
    "session.error": ("turn failed", "turn failed", _failure),
    "session.idle": ("at rest", "agent stopped", _nothing),
    "session.ended": ("session ended", "agent stopped", _reason),
}
