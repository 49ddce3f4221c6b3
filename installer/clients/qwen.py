"""Qwen Code: hooks in its settings.json, as Claude Code has them, with time limits in milliseconds and a name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contract.clients.qwen import EVENTS
from installer.clients.caveat import Caveat
from installer.hooks import settings
from installer.hooks.editor import of_hooks
from installer.hooks.shape import Shape

if TYPE_CHECKING:
    from installer.hooks.editor import Editor
    from installer.hooks.entries import Entry
    from installer.hooks.program import Program

TITLE = "Qwen Code"
PROGRAMS = ("qwen",)
AFTER = "Active in each Qwen Code that is started from now on."
SHAPE = Shape("qwen", TITLE, has_comments=True)
TIMEOUT_MS = 10_000


def editor(program: Program) -> Editor:
    return of_hooks(SHAPE, program, EVENTS, _entry)


def _entry(event: str, line: str) -> Entry:
    plain = {"type": "command", "name": "yourturn", "command": line, "timeout": TIMEOUT_MS}
    return {**plain, "async": True} if EVENTS[event] else plain


def caveats(path: str, text: str) -> list[Caveat]:
    if settings.parse(text, SHAPE).get("disableAllHooks"):
        return [Caveat(f"{TITLE} runs no hooks: disableAllHooks is set", f"Remove it from {path}.")]
    return []


def note(_path: str) -> str:
    return ""
