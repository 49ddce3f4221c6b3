"""Claude Code: hooks in its settings.json."""

from __future__ import annotations

from typing import TYPE_CHECKING

from installer.clients.caveat import Caveat
from installer.hooks import disabled, entries, installed_plugin, settings
from installer.hooks.editor import HookEditor
from installer.hooks.shape import CLAUDE

if TYPE_CHECKING:
    from installer.hooks.editor import Editor
    from installer.hooks.program import Program

TITLE = CLAUDE.title
PROGRAMS = ("claude",)
AFTER = "Active from your next prompt."


def editor(program: Program) -> Editor:
    return HookEditor(CLAUDE, entries.entries(entries.command_of(program)))


def caveats(path: str, text: str) -> list[Caveat]:
    reason = disabled.reason(settings.parse(text), disabled.managed(), path)
    found = [Caveat(f"Claude Code runs no hooks: {reason.what}", reason.remedy)] if reason else []
    plugin = installed_plugin.beside(path, text)
    if plugin:
        twice = f"{plugin.id} is a plugin in {plugin.project}, so each event there would be recorded twice"
        found.append(Caveat(twice, plugin.one_of_two))
    return found


def note(_path: str) -> str:
    return ""
