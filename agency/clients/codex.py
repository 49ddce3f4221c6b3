"""Codex as a worker: `codex exec` with a prompt on standard input, in a sandbox, and nobody who could be asked.

It chooses the id of its session itself; its first hook says which of our agents it is (`recorder.spawned`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agency.clients import naming, printed
from agency.result import MESSAGE, Result, ended_by, plain

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agency.rights import Rights
    from agency.task import Task

ENFORCES = (
    "Bash, WebSearch and Agent are removed by Codex itself, in sub-agents too, and what it would have to ask for is "
    "denied. Without Edit "
    "and Write its sandbox lets nothing be written, by commands either; it has no other tools to read with than Bash. "
    "Rules for a part of Bash are refused. Tools of MCP servers stay. Its permission modes are those of its sandbox: "
    "read-only, workspace-write, danger-full-access. It has no limit of turns."
)
TAKES_A_SESSION = False
TAKES_INSTRUCTIONS = False  # they stand before the prompt
UNATTENDED: dict[str, str] = {}
EXEC = ("exec", "e", "review")
CONTINUES = ("resume", "fork")
READ_ONLY, WORKSPACE = "read-only", "workspace-write"
NEVER_ASKS = ("-c", "approval_policy=never")
# By our names for its tools: what removes them. Files are guarded by the sandbox, and read with commands.
REMOVED = {
    "Bash": ("--disable", "shell_tool"),
    "WebSearch": ("-c", "web_search=disabled"),
    "Agent": ("--disable", "multi_agent"),
}
WRITE = ("Edit", "Write")
TOOLS = {tool: (tool,) for tool in (*REMOVED, *WRITE, "Read", "Glob", "Grep", "WebFetch")}


def unfit(task: Task) -> str:
    return "turns" if task.turns else ""


def unheld(rights: Rights) -> str:
    rules = (*(rights.allow or ()), *rights.deny)
    return naming.unknown(TOOLS, rights) or next((rule for rule in rules if naming.part(rule)), "")


def environment(_rights: Rights, _env: Mapping[str, str]) -> dict[str, str]:
    return {}


def command(task: Task, rights: Rights) -> list[str]:
    words = [EXEC[0], "--json", *(["--model", task.model] if task.model else [])]
    return [*words, *NEVER_ASKS, "--sandbox", _sandbox(task.mode, rights), *_limits(rights), "-"]


def restricted(arguments: tuple[str, ...], _session: str, rights: Rights) -> list[str]:
    """Its options may stand before its command."""
    if not rights.are_restricted:
        return list(arguments)
    return [*NEVER_ASKS, "--sandbox", _sandbox("", rights), *_limits(rights), *arguments]


def works_alone(arguments: tuple[str, ...]) -> bool:
    return any(word in EXEC for word in arguments)


def session_named(arguments: tuple[str, ...]) -> str:
    return next((word for word in arguments if word in CONTINUES), "")


def _sandbox(wanted: str, rights: Rights) -> str:
    return (wanted or WORKSPACE) if any(rights.has(tool) for tool in WRITE) else READ_ONLY


def _limits(rights: Rights) -> list[str]:
    return [word for tool, words in REMOVED.items() if not rights.has(tool) for word in words]


def result(code: int, output: bytes) -> Result:
    told = printed.lines(output)
    if not told:
        is_text = code == 0 and output.strip()
        return plain(code, output) if is_text else Result(False, "interrupted" if code == 0 else ended_by(code))
    items = [printed.fields(line.get("item")) for line in told]
    words = [str(item.get("text") or "") for item in items if item.get("type") == "agent_message"]
    message, kinds = words[-1][-MESSAGE:] if words else "", {line.get("type") for line in told}
    if "turn.failed" in kinds:
        return Result(False, "api error", message)
    is_over = code == 0 and "turn.completed" in kinds
    return Result(is_over, "completed" if is_over else ended_by(code) if code else "interrupted", message)
