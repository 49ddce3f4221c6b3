"""Our hook entries: made from the contract's table, known again by their mark."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any, NamedTuple

from contract.events import EVENTS
from installer.program import Program

if TYPE_CHECKING:
    from collections.abc import Mapping

MARK = " # yourturn-hook"
TIMEOUT_S = 10

Entry = dict[str, Any]


def command(interpreter: str, script: str) -> str:
    """The shell line for two words that are quoted already.

    The braces put the shell's own words ("Killed", "not found") out of sight too, and `|| :` makes any end a
    good one: a hook whose program is gone must not be noticed. In exec form an older client would hand the
    payload to the program as a script.
    """
    return f"{{ {interpreter} -S -E {script}; }} >/dev/null 2>&1 || :{MARK}"


def command_of(program: Program) -> str:
    return command(shlex.quote(program.interpreter), shlex.quote(program.script))


def entries(line: str) -> dict[str, Entry]:
    """The entry for each event."""
    return {event: entry(line, in_background=in_background) for event, in_background in EVENTS.items()}


def entry(line: str, *, in_background: bool) -> Entry:
    plain: Entry = {"type": "command", "command": line, "timeout": TIMEOUT_S}
    return {**plain, "async": True} if in_background else plain


def group(hook: Entry) -> dict[str, list[Entry]]:
    """A group without a matcher: every tool, every source."""
    return {"hooks": [hook]}


class Found(NamedTuple):
    """One of our entries as the client sees it."""

    event: str
    matcher: Any
    hook: Entry


def found_in(settings: Mapping[str, Any]) -> list[Found]:
    """Our entries in parsed settings; whatever has an unexpected shape holds none."""
    events = settings.get("hooks")
    groups = [(event, one) for event, many in _members(events) if isinstance(many, list) for one in many]
    return [
        Found(event, one.get("matcher"), hook)
        for event, one in groups
        if isinstance(one, dict) and isinstance(one.get("hooks"), list)
        for hook in one["hooks"]
        if is_ours(hook)
    ]


def _members(value: Any) -> list[tuple[str, Any]]:
    return list(value.items()) if isinstance(value, dict) else []


def is_ours(hook: Any) -> bool:
    if not isinstance(hook, dict):
        return False
    line = hook.get("command")
    return isinstance(line, str) and line.endswith(MARK)


def program_of(line: str) -> Program | None:
    """What the line of one of our entries starts; None if somebody rewrote it."""
    try:
        words = shlex.split(line, comments=True)
    except ValueError:
        return None
    if len(words) < len(_FRAME) or [*words[:1], *words[2:4], *words[5:]] != _FRAME:
        return None
    return Program(words[1], words[4].removesuffix(";"))


_FRAME = ["{", "-S", "-E", "}", ">/dev/null", "2>&1", "||", ":"]
