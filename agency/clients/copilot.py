"""Copilot CLI as a worker: a prompt on standard input, a session id of our choice, and nobody who could be asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agency.clients import options, printed
from agency.result import MESSAGE, Result, ended_by, plain
from agency.rights import base
from contract.clean import clean

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agency.clients.printed import Object
    from agency.rights import Rights
    from agency.task import Task

ENFORCES = (
    "Whole tools are taken away by Copilot CLI itself, in sub-agents too, and what it would have to ask for is denied. "
    "A rule for a part "
    "of Bash holds only as long as nothing gets round it. It has no permission modes and no limit of turns."
)
TAKES_A_SESSION = True
TAKES_INSTRUCTIONS = False  # it has no option for them: they stand before the prompt
UNATTENDED: dict[str, str] = {}
ALONE = ("--output-format", "json", "--no-ask-user")
# By our names for its tools: what it calls them, and what it asks for when one is used; '' if it never asks.
TOOLS = {
    "Bash": (("bash", "read_bash", "write_bash", "stop_bash", "list_bash"), "shell"), "Edit": (("edit",), "write"),
    "Write": (("create",), "write"), "Read": (("view",), ""), "Glob": (("glob",), ""), "Grep": (("grep",), ""),
    "WebFetch": (("web_fetch",), "url"), "Agent": (("task", "read_agent", "list_agents"), ""),
    "Skill": (("skill",), ""),
}  # fmt: skip
NAMES_A_SESSION = ("--session-id", "--resume", "-r", "--continue", "--connect")
DENIED = "denied"


def unfit(task: Task) -> str:
    return "mode" if task.mode else "turns" if task.turns else ""


def unheld(_rights: Rights) -> str:
    return ""


def environment(_rights: Rights, _env: Mapping[str, str]) -> dict[str, str]:
    return {}


def command(task: Task, rights: Rights) -> list[str]:
    words = [*ALONE, *(["--model", task.model] if task.model else [])]
    return [*words, *_limits(rights), "--session-id", task.session]


def restricted(arguments: tuple[str, ...], session: str, rights: Rights) -> list[str]:
    named = ["--session-id", session] if not session_named(arguments) and session else []
    return [*_limits(rights), *named, *arguments]


def works_alone(arguments: tuple[str, ...]) -> bool:
    return bool(options.first_of(options.PROMPT, arguments))


def session_named(arguments: tuple[str, ...]) -> str:
    return options.first_of(NAMES_A_SESSION, arguments)


def _limits(rights: Rights) -> list[str]:
    """One word each: an option with a list of its own would swallow what comes after it. Deny rules win."""
    words: list[str] = []
    if rights.allow is not None:
        there = [name for tool in rights.allow for name in _names(base(tool))]
        words += [f"--available-tools={name}" for name in dict.fromkeys(there or ["none"])]
        words += [f"--allow-tool={rule}" for rule in _rules(rights.allow)]
    words += [f"--deny-tool={rule}" for rule in _rules(rights.deny)]
    gone = [name for tool in rights.deny if tool == base(tool) for name in _names(tool)]
    return [*words, *(f"--excluded-tools={name}" for name in dict.fromkeys(gone))]


def _names(tool: str) -> tuple[str, ...]:
    return TOOLS[tool][0] if tool in TOOLS else (tool,)


def _rules(tools: tuple[str, ...]) -> list[str]:
    """As it asks for them. What is told apart only by us, such as Edit and Write, is one thing to it."""
    found = [(TOOLS.get(base(tool), ((), base(tool)))[1], tool[len(base(tool)) :]) for tool in tools]
    return list(dict.fromkeys(kind + part for kind, part in found if kind))


def result(code: int, output: bytes) -> Result:
    told = printed.lines(output)
    if not any(line.get("type") == "result" for line in told):
        is_text = code == 0 and output.strip() and not told
        return plain(code, output) if is_text else Result(False, "interrupted" if code == 0 else ended_by(code))
    words = [_data(line).get("content") for line in told if line.get("type") == "assistant.message"]
    message = str(words[-1] or "")[:MESSAGE] if words else ""
    failed = [_data(line) for line in told if line.get("type") == "session.error"]
    if failed:
        status = clean(str(failed[-1].get("statusCode") or ""), 20)
        return Result(False, f"api error {status}".strip(), message, _denials(told))
    return Result(code == 0, "completed" if code == 0 else ended_by(code), message, _denials(told))


def _denials(told: list[Object]) -> tuple[str, ...]:
    ended = [_data(line) for line in told if line.get("type") == "tool.execution_complete"]
    denied = [_id(one) for one in ended if printed.fields(one.get("error")).get("code") == DENIED]
    known = {_id(line): line.get("toolName") for line in map(_data, told) if line.get("toolName")}
    found = (clean(known.get(call), 80) for call in denied)
    return tuple(name for name in found if name)


def _id(data: Object) -> str:
    return str(data.get("toolCallId"))


def _data(line: Object) -> Object:
    return printed.fields(line.get("data"))
