"""OpenCode as a worker: `opencode run` with a prompt on standard input, as an agent of its own if it has limits.

It chooses the id of its session itself; its first hook says which of our agents it is (`recorder.spawned`).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from agency.clients import naming, options, printed
from agency.result import MESSAGE, Result, ended_by, plain
from agency.rights import base
from contract.clean import clean

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from agency.rights import Rights
    from agency.task import Task

ENFORCES = (
    "Whole tools are removed by OpenCode itself, for an agent that is written for it into its configuration. With "
    "limits it starts no sub-agents: these would not have them. A rule for a part of Bash holds only as long as "
    "nothing gets round it. Without --allow it may do what your configuration lets it do unasked, by default "
    "everything. It has no permission modes and no limit of turns."
)
TAKES_A_SESSION = False
TAKES_INSTRUCTIONS = False  # they stand before the prompt
UNATTENDED: dict[str, str] = {}
RUN = "run"
ALONE = (RUN, "--format", "json")
AGENT = "yourturn"  # under this name it finds its limits
CONFIGURATION = "OPENCODE_CONFIG_CONTENT"
EVERYTHING, SUB_AGENTS = "*", "task"
ALLOW, DENY = "allow", "deny"
# By our names for its tools: the permission that each of them needs.
TOOLS = {
    "Bash": ("bash",), "Edit": ("edit",), "Write": ("edit",), "Read": ("read",), "Glob": ("glob",), "Grep": ("grep",),
    "WebFetch": ("webfetch",), "WebSearch": ("websearch",), "Agent": (SUB_AGENTS,), "Skill": ("skill",),
}  # fmt: skip
NAMES_A_SESSION = ("--session", "-s", "--continue", "-c")
REJECTED = ("The user rejected permission", "The user has specified a rule")  # so begins what a call is told then


def unfit(task: Task) -> str:
    return "mode" if task.mode else "turns" if task.turns else ""


def unheld(rights: Rights) -> str:
    """A sub-agent would not have the limits."""
    sub_agent = next((rule for rule in rights.allow or () if base(rule) == "Agent"), "")
    return naming.unknown(TOOLS, rights) or sub_agent


def environment(rights: Rights, env: Mapping[str, str]) -> dict[str, str]:
    """A new agent beside those of the person's own: what is merged with theirs would depend on the order."""
    if not rights.are_restricted:
        return {}
    theirs = printed.last(env.get(CONFIGURATION, "").encode()) or {}
    agent = {"mode": "primary", "permission": _permission(rights)}
    return {CONFIGURATION: json.dumps({**theirs, "agent": {**printed.fields(theirs.get("agent")), AGENT: agent}})}


def command(task: Task, rights: Rights) -> list[str]:
    return [*ALONE, *(["--model", task.model] if task.model else []), *_limits(rights)]


def restricted(arguments: tuple[str, ...], _session: str, rights: Rights) -> list[str]:
    """Its options come after its command."""
    return [*arguments[:1], *_limits(rights), *arguments[1:]] if works_alone(arguments) else list(arguments)


def works_alone(arguments: tuple[str, ...]) -> bool:
    return arguments[:1] == (RUN,)


def session_named(arguments: tuple[str, ...]) -> str:
    return options.first_of(NAMES_A_SESSION, arguments)


def _limits(rights: Rights) -> list[str]:
    return ["--agent", AGENT] if rights.are_restricted else []


def _permission(rights: Rights) -> dict[str, Any]:
    """Of its rules the last one that fits decides."""
    listed: dict[str, Any] = {EVERYTHING: DENY} if rights.allow is not None else {}
    for name, rules in _by_name(rights.allow or ()).items():
        listed[name] = ALLOW if "" in rules else {EVERYTHING: DENY, **dict.fromkeys(rules, ALLOW)}
    for name, rules in _by_name(rights.deny).items():
        known = listed.get(name) or {}
        known = {EVERYTHING: known} if isinstance(known, str) else known
        listed[name] = DENY if "" in rules else {**known, **dict.fromkeys(rules, DENY)}
    return {**listed, SUB_AGENTS: DENY}


def _by_name(rules: Iterable[str]) -> dict[str, list[str]]:
    """The patterns for each permission; '' for all of it."""
    found: dict[str, list[str]] = {}
    for rule in rules:
        pattern = naming.part(rule)
        pattern = f"{pattern.removesuffix(naming.PREFIX)} *" if pattern.endswith(naming.PREFIX) else pattern
        for name in TOOLS[base(rule)]:
            found.setdefault(name, []).append(pattern)
    return found


def result(code: int, output: bytes) -> Result:
    told = printed.lines(output)
    if not told:
        is_text = code == 0 and output.strip()
        return plain(code, output) if is_text else Result(False, "interrupted" if code == 0 else ended_by(code))
    parts = [printed.fields(line.get("part")) for line in told]
    words = [str(part.get("text") or "") for part in parts if part.get("type") == "text"]
    message, denials = words[-1][-MESSAGE:] if words else "", _denials(parts)
    errors = [printed.fields(line.get("error")) for line in told if line.get("type") == "error"]
    if errors:
        status = printed.fields(errors[-1].get("data")).get("statusCode")
        reason = f"api error {clean(str(status), 20)}" if status else clean(errors[-1].get("name"), 80) or "error"
        return Result(False, reason, message, denials)
    is_over = parts[-1].get("reason") == "stop"  # a refused call ends it, too, and so does an interruption
    return Result(code == 0 and is_over, _reason(code, is_over, denials), message, denials)


def _reason(code: int, is_over: bool, denials: tuple[str, ...]) -> str:
    if code:
        return ended_by(code)
    return "completed" if is_over else "denied" if denials else "interrupted"


def _denials(parts: list[dict[str, Any]]) -> tuple[str, ...]:
    calls = [(part.get("tool"), printed.fields(part.get("state")).get("error")) for part in parts]
    names = (clean(tool, 80) for tool, error in calls if isinstance(error, str) and error.startswith(REJECTED))
    return tuple(name for name in names if name)
