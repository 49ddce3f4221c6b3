"""Claude Code as a worker: `claude -p` with a session id of our choice and an explicit permission mode.

Never `--bg`: that runs in the environment of whoever started its daemon, ignores the session id, and asks nobody.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from agency.clients import claude_stream, options, printed
from agency.result import MESSAGE, Result, ended_by, plain
from agency.rights import Rights, base
from contract.clean import clean

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agency.task import Task

ENFORCES = (
    "Whole tools are removed by Claude Code itself, in sub-agents too. A rule for a part of Bash holds only as long as "
    "nothing gets round it."
)
TAKES_A_SESSION = True
TAKES_INSTRUCTIONS = True
UNATTENDED: dict[str, str] = {}
ONLY_LISTED = "dontAsk"  # what is not on the list is denied, and nobody is asked
ASKING = "default"  # with -p and no host nobody can be asked: what needs an answer is denied
ALONE = ("--output-format", "json")
NAMES_A_SESSION = ("--session-id", "--resume", "-r", "--continue", "-c")
INTERRUPTED = "interrupted"


def unfit(_task: Task) -> str:
    return ""


def unheld(_rights: Rights) -> str:
    return ""


def environment(_rights: Rights, _env: Mapping[str, str]) -> dict[str, str]:
    return {}


def command(task: Task, rights: Rights) -> list[str]:
    """The prompt comes on standard input: some options would swallow it, and everybody can read arguments."""
    mode = task.mode or (ASKING if rights.allow is None or task.asks else ONLY_LISTED)
    words = ["-p", *(claude_stream.OPTIONS if task.asks else ALONE), "--permission-mode", mode]
    words += ["--model", task.model] if task.model else []
    words += ["--append-system-prompt", task.instructions] if task.instructions else []
    words += ["--max-turns", str(task.turns)] if task.turns else []
    return [*words, *_limits(rights), "--session-id", task.session]


def restricted(arguments: tuple[str, ...], session: str, rights: Rights) -> list[str]:
    """A command line of the user's own, held to its rights. The id comes last of ours: it swallows nothing."""
    named = ["--session-id", session] if not session_named(arguments) and session else []
    limits = _limits(rights)
    closed = ["--permission-mode", ONLY_LISTED] if rights.allow is not None else []
    return [*limits, *closed, *named, *arguments]


def works_alone(arguments: tuple[str, ...]) -> bool:
    """Whether nobody types into it."""
    return any(word in ("-p", "--print") for word in arguments[: _end_of_options(arguments)])


def session_named(arguments: tuple[str, ...]) -> str:
    """The option with which a command line names its session itself."""
    return options.first_of(NAMES_A_SESSION, arguments[: _end_of_options(arguments)])


def _end_of_options(arguments: tuple[str, ...]) -> int:
    return arguments.index("--") if "--" in arguments else len(arguments)


def _limits(rights: Rights) -> list[str]:
    """Deny rules win over everything, wherever they come from; a list of tools is exactly that list."""
    words: list[str] = []
    if rights.allow is not None:
        words += ["--tools", ",".join(dict.fromkeys(base(tool) for tool in rights.allow))]
        words += ["--allowedTools", ",".join(rights.allow)] if rights.allow else []
    if rights.deny:
        words += ["--disallowedTools", ",".join(rights.deny)]
        words += ["--settings", json.dumps({"permissions": {"deny": list(rights.deny)}})]
    return words


def result(code: int, output: bytes) -> Result:
    """0 alone is no success: an interrupted client ends with 0 and says nothing. So is `subtype: success`."""
    said = printed.last(output)
    said = said if said and said.get("type", "result") == "result" else None
    if said is None and code == 0 and output.strip() and not output.lstrip().startswith((b"{", b"[")):
        return plain(code, output)  # a command line of the user's own that did not ask for JSON
    if said is None:
        return Result(False, INTERRUPTED if code == 0 else ended_by(code))
    message = str(said.get("result") or "")[:MESSAGE]
    denials = printed.denied(said.get("permission_denials"))
    if code == 0 and said.get("is_error") is False:
        return Result(True, clean(said.get("terminal_reason"), 40) or "completed", message, denials)
    return Result(False, _reason(code, said), message, denials)


def _reason(code: int, said: dict[str, Any]) -> str:
    if status := said.get("api_error_status"):
        return f"api error {clean(str(status), 20)}"
    subtype = clean(said.get("subtype"), 40)
    return subtype if subtype not in ("", "success") else clean(said.get("terminal_reason"), 40) or ended_by(code)
