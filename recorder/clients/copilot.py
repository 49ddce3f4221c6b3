"""Copilot CLI: its events and the keys of its payloads, in our words. `contract.clients.copilot` registers them.

The names are those that Claude Code has too, as it also runs the hooks of a project's Claude settings. The payloads of
some events have the keys of its own names all the same. Within a sub-agent the session that it names is the sub-agent.
"""

from __future__ import annotations

from recorder.change import Change, second

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from recorder.change import Kind

    Payload = dict[str, Any]
    Details = dict[str, Any]

NEW = "new"  # its word for a session that is not resumed
# Its notifications of dialogs by the names that our rules know. One that follows the answer is overruled by the file.
DIALOGS = {"permission_prompt": "permission_prompt", "elicitation_dialog": "agent_needs_input"}
TRANSCRIPT = "/events.jsonl"  # in a folder with the name of the session
# A hook in Claude's settings may be asked for these, too. The client's files tell of them, or nobody has to know.
OF_NO_INTEREST = (
    "PreToolUse", "PostToolUse", "PostToolUseFailure", "permissionRequest", "ErrorOccurred", "PreCompact",
)  # fmt: skip


def process(_env: Mapping[str, str]) -> tuple[str, str, bool]:
    """The hook's parent is the client. COPILOT_LOADER_PID may be that of a client around it."""
    return "", "", False


def plugin(_env: Mapping[str, str]) -> str:
    return ""


def notice(_words: str, _env: Mapping[str, str]) -> Details:
    return {}


def translate(payload: Payload) -> tuple[Change, ...]:
    name, agent = _name(payload), _either(payload, "agent_id", "agentId")
    is_sub_agent = isinstance(agent, str) and agent != ""
    if name in OF_NO_INTEREST or (is_sub_agent and name not in OF_SUB_AGENTS):
        return ()
    if not isinstance(name, str) or name not in EVENTS:
        raise ValueError("the event's name is none we listen to")
    told = [(kind, details(payload)) for kind, details in EVENTS[name]]
    common = _common(name, payload)
    common["agent"] = agent if is_sub_agent else "main"
    return tuple([Change(kind, **common, **details) for kind, details in told if details is not None])


def _name(payload: Payload) -> Any:
    """The start of a sub-agent is the only one without a name."""
    name = _either(payload, "hook_event_name", "hookName")
    return "SubagentStart" if name is None and "agentName" in payload else name


def _common(name: str, payload: Payload) -> Details:
    transcript = _either(payload, "transcript_path", "transcriptPath")
    session = _owner(transcript) if name in OF_SUB_AGENTS else ""
    return {
        "event": name, "session": session or _either(payload, "session_id", "sessionId"), "cwd": payload.get("cwd"),
        "type": _either(payload, "agent_type", "agentType"),
        "transcript": "" if name in OF_SUB_AGENTS else transcript,
    }  # fmt: skip


def _either(payload: Payload, one: str, other: str) -> Any:
    return payload[one] if one in payload else payload.get(other)


def _owner(transcript: Any) -> str:
    """The session that a sub-agent belongs to, which may have started it through another one."""
    if not isinstance(transcript, str) or not transcript.endswith(TRANSCRIPT):
        return ""
    return transcript[: -len(TRANSCRIPT)].rsplit("/", 1)[-1]


def _nothing(_payload: Payload) -> Details:
    return {}


def _start(payload: Payload) -> Details | None:
    """With its first prompt a new session has nothing behind it that would have to be ended."""
    source = payload.get("source")
    if source == NEW and payload.get("initial_prompt"):
        return None
    return {"source": "startup" if source == NEW else source, "said": second(payload.get("timestamp"))}


def _first_prompt(payload: Payload) -> Details | None:
    """The client does not wait when it tells of a start: the prompt that begins it may have been told before."""
    if not payload.get("initial_prompt"):
        return None
    return {**_prompt(payload), "said": second(payload.get("timestamp"))}


def _prompt(payload: Payload) -> Details:
    """A turn has no id: its time tells it from others, and is the same if two hooks tell of it."""
    return {"turn": payload.get("timestamp"), "once": True}


def _note(payload: Payload) -> Details | None:
    kind = payload.get("notification_type")
    return {"note": DIALOGS[kind]} if isinstance(kind, str) and kind in DIALOGS else None


def _reason(payload: Payload) -> Details:
    return {"word": payload.get("reason")}


# What each event tells, in order.
EVENTS: dict[str, tuple[tuple[Kind, Callable[[Payload], Details | None]], ...]] = {
    "SessionStart": (("session started", _start), ("prompted", _first_prompt)),
    "UserPromptSubmit": (("prompted", _prompt),),
    "Notification": (("note", _note),),
    "SubagentStart": (("agent started", _nothing),),
    "SubagentStop": (("agent stopped", _nothing),),
    "Stop": (("turn ended", _nothing),),
    "SessionEnd": (("session ended", _reason),),
}
OF_SUB_AGENTS = ("SubagentStart", "SubagentStop")
