"""yourturn's hook entries in a client's settings: made from the table of events, recognised by a mark."""

from __future__ import annotations

import shlex
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from contract.clients.claude import EVENTS
from installer.hooks.program import Program
from installer.hooks.shape import CLAUDE, MARK

if TYPE_CHECKING:
    from collections.abc import Mapping

    from installer.hooks.shape import Shape

CLIENT = CLAUDE.client
TIMEOUT_S = 10

Entry = dict[str, Any]


def command(interpreter: str, script: str, is_there: str, told: str = f" {CLIENT}") -> str:
    """The shell line for two words that are quoted already, and a test that the first one can be started.

    A hook whose program is gone must not be noticed, so the shell looks first. Then it becomes the program: to stay
    and wait for it, and make any end a good one, took up to 15 % of the hook's time (two cores at load 12).

    The exec form ("args", no shell; known since Claude Code 2.1.139) is hardly faster: a call of the client with our
    hooks took 107 ms by the shell that becomes the program, 104 ms without a shell, 121 ms by a shell that waits. And
    nobody would look first. Seen on 2.1.325 and 2.1.197: without its interpreter each event shows an error; without
    its script Python exits with 2, which refuses every prompt. And a client before 2.1.139 runs the command without
    its arguments: the payload would be its program. `tests/e2e/test_dangling_hooks.py` holds the first two.
    """
    return f"{is_there} && test -r {script} && exec {interpreter} -S -E {script}{told} >/dev/null 2>&1; :{MARK}"


def command_of(program: Program, told: str = f" {CLIENT}") -> str:
    interpreter, script = map(shlex.quote, program)
    # A folder can be "executed" too.
    return command(interpreter, script, f"test -f {interpreter} && test -x {interpreter}", told)


def entries(line: str) -> dict[str, Entry]:
    """The entry of Claude Code for each event."""
    return {event: entry(line, in_background=in_background) for event, in_background in EVENTS.items()}


def entry(line: str, *, in_background: bool) -> Entry:
    plain: Entry = {"type": "command", "command": line, "timeout": TIMEOUT_S}
    return {**plain, "async": True} if in_background else plain


def group(hook: Entry, shape: Shape = CLAUDE) -> Entry:
    """A group without a matcher: every tool, every source. Where there are no groups, the hook itself."""
    return {"hooks": [hook]} if shape.is_grouped else hook


class Found(NamedTuple):
    """One of yourturn's entries as the client sees it."""

    event: str
    matcher: Any
    hook: Entry


def found_in(settings: Mapping[str, Any], shape: Shape = CLAUDE) -> list[Found]:
    """Yourturn's entries in parsed settings; whatever has an unexpected shape is skipped."""
    events = settings.get("hooks")
    groups = [(event, item) for event, items in _members(events) if isinstance(items, list) for item in items]
    return [
        Found(event, item.get("matcher"), hook)
        for event, item in groups
        if isinstance(item, dict)
        for hook in _hooks(item, shape)
        if is_ours(hook, shape)
    ]


def _hooks(item: Entry, shape: Shape) -> list[Any]:
    held = item.get("hooks") if shape.is_grouped else [item]
    return held if isinstance(held, list) else []


def _members(value: Any) -> list[tuple[str, Any]]:
    return list(value.items()) if isinstance(value, dict) else []


def is_ours(hook: Any, shape: Shape = CLAUDE) -> bool:
    if not isinstance(hook, dict):
        return False
    line = hook.get(shape.line)
    return isinstance(line, str) and line.endswith(shape.mark)


def program_of(line: str, told: str = f" {CLIENT}") -> Program | None:
    """The program that the line of an entry starts; None if the line was edited."""
    try:
        words = shlex.split(line, comments=True)
    except ValueError:
        return None
    # Where the interpreter and the script stand; in the older line a semicolon follows at once.
    now, older = words[2:11:8], [*words[1:2], *(word.removesuffix(";") for word in words[4:5])]
    for write, named in ((partial(command_of, told=told), now), (_unnamed, now), (_older, older)):
        if len(named) == len(Program._fields) and write(Program(*named)) == line:
            return Program(*named)
    return None


def renewed(line: str) -> str:
    """The line as this version writes it; a line that was edited stays as it is."""
    program = program_of(line)
    return command_of(program) if program else line


def _unnamed(program: Program) -> str:
    """As it was written before hooks named their client."""
    return command_of(program, told="")


def _older(program: Program) -> str:
    """As it was written until 0.1.0."""
    interpreter, script = map(shlex.quote, program)
    return f"{{ {interpreter} -S -E {script}; }} >/dev/null 2>&1 || :{MARK}"
