"""Qwen Code as a worker: a prompt on standard input, a session id of our choice, and nobody who could be asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agency.clients import naming, options, printed
from agency.result import MESSAGE, Result, ended_by, plain
from agency.rights import base
from contract.clean import clean

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agency.rights import Rights
    from agency.task import Task

ENFORCES = (
    "Whole tools are removed by Qwen Code itself, in sub-agents too, and what it would have to ask for is denied. "
    "A rule for a part of "
    "Bash holds only as long as nothing gets round it; what a command is seen to read or write needs Read or Write."
)
TAKES_A_SESSION = True
TAKES_INSTRUCTIONS = True
# Else it starts itself once more, with more memory, and a launcher that gets a signal leaves the client behind.
UNATTENDED = {"QWEN_CODE_NO_RELAUNCH": "true"}
ASKING = "default"  # without a terminal nobody can be asked: what needs an answer is denied
ALONE = ("--output-format=json",)
# By our names for its tools. Reading is one permission to it, and so is writing.
READS = ("read_file", "list_directory", "glob", "grep_search")
WRITES = ("edit", "write_file", "notebook_edit")
TOOLS = {
    "Bash": ("run_shell_command", "monitor"), "Edit": WRITES, "Write": WRITES, "Read": READS, "Glob": READS,
    "Grep": READS, "WebFetch": ("web_fetch",), "Agent": ("agent", "send_message", "task_stop"), "Skill": ("skill",),
}  # fmt: skip
# What a list of its core tools does not remove.
STAYING = ("agent", "send_message", "task_stop", "skill", "tool_search")
NO_SERVERS = "--allowed-mcp-server-names=none"
NAMES_A_SESSION = ("--session-id", "--resume", "-r", "--continue", "-c")
API_ERROR = "[API Error: "
TOO_MANY_TURNS = 53  # its exit code


def unfit(_task: Task) -> str:
    return ""


def unheld(rights: Rights) -> str:
    return naming.unknown(TOOLS, rights)


def environment(_rights: Rights, _env: Mapping[str, str]) -> dict[str, str]:
    return {}


def command(task: Task, rights: Rights) -> list[str]:
    words = [*ALONE, f"--approval-mode={task.mode or ASKING}", *([f"--model={task.model}"] if task.model else [])]
    words += [f"--append-system-prompt={task.instructions}"] if task.instructions else []
    words += [f"--max-session-turns={task.turns}"] if task.turns else []
    return [*words, *_limits(rights), f"--session-id={task.session}"]


def restricted(arguments: tuple[str, ...], session: str, rights: Rights) -> list[str]:
    named = [f"--session-id={session}"] if not session_named(arguments) and session else []
    return [*_limits(rights), *named, *arguments]


def works_alone(arguments: tuple[str, ...]) -> bool:
    return bool(options.first_of(options.PROMPT, arguments))


def session_named(arguments: tuple[str, ...]) -> str:
    return options.first_of(NAMES_A_SESSION, arguments)


def _limits(rights: Rights) -> list[str]:
    """One word each: an option with a list of its own would swallow what comes after it. Deny rules win."""
    words: list[str] = []
    gone = [name for tool in rights.deny for name in _rules(tool)]
    if rights.allow is not None:
        there = naming.named(TOOLS, rights.allow)
        words += [f"--core-tools={name}" for name in there or ["none"]]
        words += [f"--allowed-tools={name}" for tool in rights.allow for name in _rules(tool)]
        words += [NO_SERVERS]
        gone += [name for name in STAYING if name not in there]
    return [*words, *(f"--exclude-tools={name}" for name in dict.fromkeys(gone))]


def _rules(tool: str) -> list[str]:
    """In its own words: a tool, or a part of it."""
    part = naming.part(tool)
    return [f"{name}({part})" if part else name for name in TOOLS[base(tool)]]


def result(code: int, output: bytes) -> Result:
    """It ends with 0, and says that there was no error, when the API has failed: then the model has said nothing."""
    said = printed.last(output)
    if said is None or said.get("type") != "result":
        is_text = code == 0 and output.strip() and said is None
        return plain(code, output) if is_text else Result(False, _reason(code))
    message = str(said.get("result") or "")[:MESSAGE]
    denials = printed.denied(said.get("permission_denials"))
    if message.startswith(API_ERROR) and not printed.fields(said.get("usage")).get("output_tokens"):
        return Result(False, f"api error {clean(message.removeprefix(API_ERROR)[:3], 3)}".strip(), message, denials)
    if code == 0 and said.get("is_error") is False:
        return Result(True, "completed", message, denials)
    return Result(False, _reason(code), message, denials)


def _reason(code: int) -> str:
    return "interrupted" if code == 0 else "too many turns" if code == TOO_MANY_TURNS else ended_by(code)
