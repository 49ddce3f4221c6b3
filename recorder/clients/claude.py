"""Claude Code: its events and the keys of its payloads, in our words. `contract.clients.claude` registers them."""

from __future__ import annotations

from contract.clean import clean
from recorder.change import Change, about

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from recorder.change import Kind

    Payload = dict[str, Any]
    Details = dict[str, Any]

# The input that says in a word what a call is about.
TARGETS = {
    "Bash": "command", "Edit": "file_path", "MultiEdit": "file_path", "Write": "file_path", "Read": "file_path",
    "NotebookEdit": "notebook_path", "WebFetch": "url", "WebSearch": "query", "Agent": "description",
    "Task": "description", "Skill": "skill", "Glob": "pattern", "Grep": "pattern",
}  # fmt: skip
STARTS_AN_AGENT = ("Agent", "Task")
WOKEN = "<task-notification>"
HEAD = 512  # a notification begins with the task that it is about
WORTH_ITS_WORDS = "worker_permission_prompt"  # which teammate asks, and for which tool


def process(env: Mapping[str, str]) -> tuple[str, str, bool]:
    return env.get("CLAUDE_PID", ""), env.get("CLAUDE_CODE_ENTRYPOINT", ""), bool(env.get("CLAUDE_JOB_DIR"))


def plugin(env: Mapping[str, str]) -> str:
    return env.get("CLAUDE_PLUGIN_ROOT", "").rstrip("/")


def notice(words: str, env: Mapping[str, str]) -> dict[str, Any]:
    """Plain words would be shown to the model. What `claude -p` is told, nobody sees."""
    return {"systemMessage": words} if env.get("CLAUDE_CODE_ENTRYPOINT") == "cli" else {}


def translate(payload: Payload) -> tuple[Change, ...]:
    name, agent, get = payload.get("hook_event_name"), payload.get("agent_id"), payload.get
    if not isinstance(name, str) or name not in EVENTS:
        raise ValueError("the event's name is none we listen to")
    kind, details = EVENTS[name]
    is_sub_agent = isinstance(agent, str) and agent not in ("", "main")
    change = Change(
        kind,
        event=name,
        session=get("session_id"),
        agent=agent if is_sub_agent else "main",
        type=get("agent_type"),
        cwd=get("cwd"),
        mode=get("permission_mode"),
        transcript=get("agent_transcript_path" if is_sub_agent else "transcript_path"),
        turn=get("prompt_id"),
        **details(payload),
    )
    return (change,)


def _nothing(_payload: Payload) -> Details:
    return {}


def _compaction(payload: Payload) -> Details:
    return {"by_hand": payload.get("trigger") == "manual"}


def _start(payload: Payload) -> Details:
    return {"source": payload.get("source")}


def _prompt(payload: Payload) -> Details:
    prompt = payload.get("prompt", "")
    if not clean(prompt, 40).startswith(WOKEN):
        return {}
    return {"machine": True, "heard": prompt[:HEAD].partition("<task-id>")[2].partition("</task-id>")[0]}


def _call(payload: Payload) -> Details:
    return {
        "call": payload.get("tool_use_id"),
        "tool": payload.get("tool_name"),
        "given": payload.get("tool_input"),
    }


def _begin(payload: Payload) -> Details:
    call = _call(payload)
    call["about"] = about(TARGETS, call["tool"], call["given"])
    call["awaited"] = True
    return call


def _end(payload: Payload) -> Details:
    call = _call(payload)
    if call["tool"] in STARTS_AN_AGENT:
        call["spawned"] = _spawned(payload.get("tool_response"), call["given"])
    return call


def _spawned(answer: Any, given: Any) -> Details | None:
    """A teammate's name may be taken: then the client gives it another one."""
    if not isinstance(answer, dict) or not isinstance(given, dict):
        return None
    id_, asked_for = answer.get("agentId") or answer.get("agent_id"), given.get("name")
    return {
        "id": id_,
        "name": asked_for and (answer.get("name") or asked_for),
        "team": answer.get("team_name") or given.get("team_name"),
        "type": given.get("subagent_type"),
        "apart": isinstance(id_, str) and "@" in id_,  # a teammate's: `name@team`
    }


def _batch(payload: Payload) -> Details:
    told = payload.get("tool_calls")
    calls = [one for one in told if isinstance(one, dict)] if isinstance(told, list) else []
    return {"calls": tuple([_ended(one) for one in calls])}


def _ended(call: Payload) -> Change:
    return Change("call ended", turn=call.get("prompt_id"), **_call(call))


def _note(payload: Payload) -> Details:
    kind = payload.get("notification_type")
    return {"note": kind, "word": payload.get("message") if kind == WORTH_ITS_WORDS else ""}


def _server(payload: Payload) -> Details:
    return {"word": payload.get("mcp_server_name")}


def _listing(payload: Payload) -> Details:
    return {"tasks": payload.get("background_tasks"), "crons": payload.get("session_crons")}


def _sub_agent_stop(payload: Payload) -> Details:
    return {**_listing(payload), "inner": _is_inner(payload)}


def _failure(payload: Payload) -> Details:
    return {**_listing(payload), "inner": _is_inner(payload), "error": payload.get("error")}


def _is_inner(payload: Payload) -> bool:
    """Those that the client runs for itself, such as the one that compacts, have an id and no type."""
    return bool(payload.get("agent_id")) and not payload.get("agent_type")


def _teammate(payload: Payload) -> Details:
    return {"word": payload.get("teammate_name"), "team": payload.get("team_name")}


def _reason(payload: Payload) -> Details:
    return {"word": payload.get("reason")}


EVENTS: dict[str, tuple[Kind, Callable[[Payload], Details]]] = {
    "SessionStart": ("session started", _start),
    "UserPromptSubmit": ("prompted", _prompt),
    "PreToolUse": ("call began", _begin),
    "PermissionRequest": ("asked", _begin),
    "PermissionDenied": ("denied", _call),
    "PostToolUse": ("call ended", _end),
    "PostToolUseFailure": ("call ended", _end),
    "PostToolBatch": ("batch ended", _batch),
    "Notification": ("note", _note),
    "Elicitation": ("question", _server),
    "ElicitationResult": ("answer", _server),
    "SubagentStart": ("agent started", _nothing),
    "SubagentStop": ("agent stopped", _sub_agent_stop),
    "Stop": ("turn ended", _listing),
    "StopFailure": ("turn failed", _failure),
    "TeammateIdle": ("idle", _teammate),
    "PreCompact": ("compacting", _compaction),
    "PostCompact": ("compacted", _nothing),
    "SessionEnd": ("session ended", _reason),
}
