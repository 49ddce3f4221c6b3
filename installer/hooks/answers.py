"""The second entry in Claude Code's settings, for those who ask for it: a hook that waits for a person's answer. Pure.

The client waits for it beside its own dialog, so it is none of those that run in the background, and may take a day.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any, NamedTuple

from installer.hooks import entries
from installer.hooks.editor import HookEditor
from installer.hooks.shape import CLAUDE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from installer.hooks.editor import Editor
    from installer.hooks.program import Program

EVENT, SCRIPT, TIMEOUT_S = "PermissionRequest", "answer_hook.py", 86400
SHAPE = CLAUDE._replace(mark=" # yourturn-answers")
PART = "answers"


def line(program: Program) -> str:
    """As `entries.command`, but what it prints is the answer."""
    interpreter, script = shlex.quote(program.interpreter), shlex.quote(beside(program.script))
    is_there = f"test -f {interpreter} && test -x {interpreter} && test -r {script}"
    return f"{is_there} && exec {interpreter} -S -E {script} {CLAUDE.client} 2>/dev/null; :{SHAPE.mark}"


def beside(script: str) -> str:
    """The script of this hook, beside the other one."""
    return f"{script.rpartition('/')[0]}/{SCRIPT}" if script else ""


def entry(program: Program) -> dict[str, Any]:
    return {"type": "command", "command": line(program), "timeout": TIMEOUT_S}


class Answering(NamedTuple):
    """Our hooks, and this one too if it is wanted. `wanted` is None for: as it is."""

    hooks: Editor
    own: HookEditor
    wanted: bool | None

    @property
    def noun(self) -> str:
        return self.hooks.noun

    @property
    def names(self) -> list[str]:
        return [*self.hooks.names, *([PART] if self.wanted else [])]

    def put(self, text: str) -> str:
        text = self.hooks.put(text)
        if self.wanted or (self.wanted is None and self.own.parts(text)):
            return self.own.put(text)
        return self.own.take(text, None) or ""

    def take(self, text: str, original: str | None) -> str | None:
        left = self.own.take(text, original)
        return left if left is None else self.hooks.take(left, original)

    def parts(self, text: str) -> dict[str, list[Any]]:
        found = [hook for hooks in self.own.parts(text).values() for hook in hooks]
        return {**self.hooks.parts(text), **({PART: found} if found else {})}

    def programs(self, text: str) -> list[Program | None]:
        return self.hooks.programs(text)

    def narrowed(self, text: str) -> list[str]:
        return self.hooks.narrowed(text)

    def is_empty(self, text: str | None) -> bool:
        return self.hooks.is_empty(text)


def editor(hooks: Editor, program: Program, *, wanted: bool | None) -> Answering:
    return Answering(hooks, HookEditor(SHAPE, {EVENT: entry(program)}), wanted)


def installed(parsed: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The entries of ours that answer, in parsed settings."""
    return [found.hook for found in entries.found_in(parsed, SHAPE)]


def others(parsed: Mapping[str, Any]) -> list[str]:
    """The command lines of others for the same event: whoever decides first is heard."""
    events = parsed.get("hooks")
    groups = events.get(EVENT) if isinstance(events, dict) else None
    held = [group.get("hooks") for group in groups if isinstance(group, dict)] if isinstance(groups, list) else []
    hooks = [hook for some in held if isinstance(some, list) for hook in some if isinstance(hook, dict)]
    foreign = [hook for hook in hooks if not any(entries.is_ours(hook, shape) for shape in (CLAUDE, SHAPE))]
    return [str(hook.get("command") or hook.get("url") or hook.get("type")) for hook in foreign]
