"""Gemini CLI: hooks in its settings.json, with its own names of events, time limits in milliseconds and a name."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from contract.clients.gemini import EVENTS
from installer.clients.caveat import Caveat
from installer.hooks import settings, settings_file
from installer.hooks.editor import of_hooks
from installer.hooks.shape import Shape
from installer.refusal import Refusal

if TYPE_CHECKING:
    from installer.hooks.editor import Editor
    from installer.hooks.entries import Entry
    from installer.hooks.program import Program

TITLE = "Gemini CLI"
PROGRAMS = ("gemini",)
AFTER = "Active in each Gemini CLI that is started from now on, in folders that you trust: elsewhere it runs no hooks."
SHAPE = Shape("gemini", TITLE, has_comments=True)
NAME = "yourturn"  # it is shown while a hook runs, and names it in the list of those that are disabled
TIMEOUT_MS = 10_000


def editor(program: Program) -> Editor:
    return of_hooks(SHAPE, program, EVENTS, _entry)


def _entry(_event: str, line: str) -> Entry:
    return {"type": "command", "name": NAME, "command": line, "timeout": TIMEOUT_MS}


def caveats(path: str, text: str) -> list[Caveat]:
    own = settings.parse(text, SHAPE)
    switch = _object(own.get("hooksConfig"))
    if switch.get("enabled") is False:
        return [Caveat(f"{TITLE} runs no hooks: hooksConfig.enabled is false", f"Remove it from {path}.")]
    disabled = switch.get("disabled")
    if isinstance(disabled, list) and NAME in disabled:
        remedy = f"In Gemini CLI: `/hooks enable {NAME}`."
        return [Caveat("the hooks are disabled by their name, in hooksConfig.disabled", remedy)]
    return []


def note(path: str) -> str:
    """Which folders these are stands beside its settings."""
    folders = os.path.join(os.path.dirname(path), "trustedFolders.json")
    try:
        rules = _object(settings.parse(settings_file.read(folders).text, SHAPE))
    except (OSError, ValueError, RecursionError, Refusal):
        rules = {}
    avoided = sum(rule == "DO_NOT_TRUST" for rule in rules.values())
    words = "it runs them only in folders that you trust"
    return f"{words} ({avoided} that you do not)" if avoided else words


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
