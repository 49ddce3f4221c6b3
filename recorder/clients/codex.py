"""Codex: its events and the keys of its payloads, in our words. Of an approval and of an API error no hook tells."""

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
TOOLS = {"request_user_input": "AskUserQuestion", "spawn_agent": "Agent", "apply_patch": "Edit"}
TARGETS = {"Bash": "command", "spawn_agent": "agent_type"}
WITH_A_PROMPT = ("startup", "resume", "clear")  # a session starts with its first prompt, not before
STARTS_AN_AGENT = "spawn_agent"
HEAD = 512  # the id comes first
TOLD_WITH_A_REASON = ("Bash", "apply_patch")  # their input has one more key when they ask: why


def process(_env: Mapping[str, str]) -> tuple[str, str, bool]:
    """It says nothing of it: the hook's parent is the client, or the daemon that many terminals share."""
    return "", "", False


def plugin(_env: Mapping[str, str]) -> str:
    return ""


def notice(_words: str, _env: Mapping[str, str]) -> Details:
    return {}


def translate(payload: Payload) -> tuple[Change, ...]:
    name, agent, get = payload.get("hook_event_name"), payload.get("agent_id"), payload.get
    if not isinstance(name, str) or name not in EVENTS:
        raise ValueError("the event's name is none we listen to")
    is_sub_agent = isinstance(agent, str) and agent != ""
    main, sub_agent, details = EVENTS[name]
    kind = sub_agent if is_sub_agent else main
    if kind is None:
        raise ValueError("the event names no sub-agent")
    common = {
        "event": name, "session": get("session_id"), "agent": agent if is_sub_agent else "main",
        "type": get("agent_type"), "cwd": get("cwd"), "mode": get("permission_mode"),
        "transcript": get("agent_transcript_path") or get("transcript_path"), "turn": get("turn_id"),
    }  # fmt: skip
    told = Change(kind, **common, **details(payload))
    is_prompted = kind == "session started" and told.source in WITH_A_PROMPT
    return (told, Change("prompted", **common)) if is_prompted else (told,)


def _nothing(_payload: Payload) -> Details:
    return {}


def _interruption(_payload: Payload) -> Details:
    return {"final": True}


def _start(payload: Payload) -> Details:
    return {"source": payload.get("source")}


def _call(payload: Payload) -> Details:
    tool, given = payload.get("tool_name"), payload.get("tool_input")
    return {
        "call": payload.get("tool_use_id"), "tool": TOOLS.get(tool, tool) if isinstance(tool, str) else "",
        "given": given, "about": about(TARGETS, tool, given),
    }  # fmt: skip


def _ended(payload: Payload) -> Details:
    call = _call(payload)
    if payload.get("tool_name") == STARTS_AN_AGENT:
        call["spawned"] = _spawned(payload.get("tool_response"), call["given"])
    return call


def _spawned(answer: Any, given: Any) -> Details | None:
    """Told as a text of JSON. Its end starts no turn of who started it."""
    told = answer[:HEAD] if isinstance(answer, str) else ""
    id_ = told.partition('"agent_id":')[2].lstrip().partition('"')[2].partition('"')[0]
    return {"id": id_, "type": isinstance(given, dict) and given.get("agent_type"), "quiet": True} if id_ else None


def _asked(payload: Payload) -> Details:
    """No id of a call is told: it is found by its input, so that must be as it was when the call began."""
    call = _call(payload)
    if payload.get("tool_name") in TOLD_WITH_A_REASON and isinstance(call["given"], dict):
        call["given"] = {key: value for key, value in call["given"].items() if key != "description"}
    return call


def _compaction(payload: Payload) -> Details:
    return {"by_hand": payload.get("trigger") == "manual"}


def _reason(payload: Payload) -> Details:
    return {"word": payload.get("reason")}


# What each event tells of a session, what of a sub-agent, and the details. A rejected call is told as an interruption.
EVENTS: dict[str, tuple[Kind | None, Kind, Callable[[Payload], Details]]] = {
    "SessionStart": ("session started", "agent started", _start),
    "UserPromptSubmit": ("prompted", "agent started", _nothing),
    "PreToolUse": ("call began", "call began", _call),
    "PermissionRequest": ("asked", "asked", _asked),
    "PostToolUse": ("call ended", "call ended", _ended),
    "SubagentStart": (None, "agent started", _nothing),
    "SubagentStop": (None, "agent stopped", _nothing),
    "Interrupt": ("turn ended", "agent stopped", _interruption),
    "Stop": ("turn ended", "agent stopped", _nothing),
    "PreCompact": ("compacting", "compacting", _compaction),
    "PostCompact": ("compacted", "compacted", _nothing),
    "SessionEnd": ("session ended", "agent stopped", _reason),
}
