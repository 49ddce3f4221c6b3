"""Gemini CLI as a worker: a prompt on standard input, a session id of our choice, and a policy of its own."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from agency.clients import naming, options, printed
from agency.result import MESSAGE, Result, ended_by, plain
from agency.rights import base
from contract.clean import clean

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from agency.clients.printed import Object
    from agency.rights import Rights
    from agency.task import Task

ENFORCES = (
    "Whole tools are removed by Gemini CLI itself, in sub-agents too, by a policy file that is written for the agent, "
    "and what it would "
    "have to ask for does not exist. A rule for a part of Bash is for commands that begin so, and holds only as long "
    "as nothing gets round it. It has no limit of turns."
)
TAKES_A_SESSION = True
TAKES_INSTRUCTIONS = False  # it has no option for them: they stand before the prompt
# Else it starts itself once more, with more memory, and the launcher passes no signal on.
UNATTENDED = {"GEMINI_CLI_NO_RELAUNCH": "true"}
ASKING = "default"  # without a terminal nobody can be asked: what needs an answer does not exist
ALONE = ("--output-format=stream-json",)
# By our names for its tools.
TOOLS = {
    "Bash": ("run_shell_command",), "Edit": ("replace",), "Write": ("write_file",),
    "Read": ("read_file", "read_many_files", "list_directory"), "Glob": ("glob",), "Grep": ("grep_search",),
    "WebFetch": ("web_fetch",), "WebSearch": ("google_web_search",), "Agent": ("invoke_agent",),
    "Skill": ("activate_skill",),
}  # fmt: skip
EVERYTHING = "*"
# The higher wins. All of ours are above those that it has by itself.
NOTHING_ELSE, LISTED, NEVER = 900, 950, 990
NAMES_A_SESSION = ("--session-id", "--session-file", "--resume", "-r")
DENIED = "policy_violation"
CODE = re.compile(r'"code": ?([0-9]{3})\b')


def unfit(task: Task) -> str:
    return "turns" if task.turns else ""


def unheld(rights: Rights) -> str:
    """It knows commands by how they begin."""
    rules = (*(rights.allow or ()), *rights.deny)
    exact = (rule for rule in rules if naming.part(rule) and not naming.part(rule).endswith(naming.PREFIX))
    return naming.unknown(TOOLS, rights) or next(exact, "")


def environment(_rights: Rights, _env: Mapping[str, str]) -> dict[str, str]:
    return {}


def command(task: Task, _rights: Rights) -> list[str]:
    words = [*ALONE, f"--approval-mode={task.mode or ASKING}", *([f"--model={task.model}"] if task.model else [])]
    return [*words, f"--session-id={task.session}"]


def restricted(arguments: tuple[str, ...], session: str, _rights: Rights) -> list[str]:
    named = [f"--session-id={session}"] if not session_named(arguments) and session else []
    return [*named, *arguments]


def policy(rights: Rights) -> str:
    """A file of its rules; '' if there is no limit."""
    rules: list[str] = []
    if rights.allow is not None:
        rules = [_rule(EVERYTHING, "", "deny", NOTHING_ELSE), *_rules(rights.allow, "allow", LISTED)]
    return "\n".join([*rules, *_rules(rights.deny, "deny", NEVER)])


def with_policy(path: str) -> list[str]:
    """Before its other options: a plain word after it would be taken for a second file."""
    return [f"--policy={path}"]


def _rules(tools: Iterable[str], decision: str, priority: int) -> list[str]:
    found = [(name, naming.part(tool)) for tool in tools for name in TOOLS[base(tool)]]
    return [_rule(name, part.removesuffix(naming.PREFIX), decision, priority) for name, part in found]


def _rule(tool: str, prefix: str, decision: str, priority: int) -> str:
    only = f"commandPrefix = {json.dumps(prefix)}\n" if prefix else ""
    return f'[[rule]]\ntoolName = "{tool}"\n{only}decision = "{decision}"\npriority = {priority}\n'


def works_alone(arguments: tuple[str, ...]) -> bool:
    return bool(options.first_of(options.PROMPT, arguments))


def session_named(arguments: tuple[str, ...]) -> str:
    return options.first_of(NAMES_A_SESSION, arguments)


def result(code: int, output: bytes) -> Result:
    told = printed.lines(output)
    end = next((line for line in reversed(told) if line.get("type") == "result"), None)
    if end is None:
        is_text = code == 0 and output.strip() and not told
        return plain(code, output) if is_text else Result(False, "interrupted" if code == 0 else ended_by(code))
    message, denials = _last_words(told), _denials(told)
    if end.get("status") == "success" and code == 0:
        return Result(True, "completed", message, denials)
    return Result(False, _reason(code, printed.fields(end.get("error")).get("message")), message, denials)


def _reason(code: int, error: Any) -> str:
    if not isinstance(error, str):
        return ended_by(code) if code else "failed"
    found = CODE.search(error)
    return f"api error {found[1]}" if found else clean(error, 80)


def _last_words(told: list[Object]) -> str:
    """They come in pieces; a call between two of them ends what was said before."""
    words: list[str] = []
    for line in told:
        if line.get("type") == "tool_use":
            words = []
        elif line.get("type") == "message" and line.get("role") == "assistant":
            words.append(str(line.get("content") or ""))
    return "".join(words)[-MESSAGE:]


def _denials(told: list[Object]) -> tuple[str, ...]:
    called = {str(line.get("tool_id")): line.get("tool_name") for line in told if line.get("type") == "tool_use"}
    ended = [line for line in told if line.get("type") == "tool_result"]
    denied = [str(line.get("tool_id")) for line in ended if printed.fields(line.get("error")).get("type") == DENIED]
    names = (clean(called.get(call), 80) for call in denied)
    return tuple(name for name in names if name)
