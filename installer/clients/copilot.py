"""Copilot CLI: a file of hooks of our own among those in its folder of hooks."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from contract.clients.copilot import COMMAND, EVENTS, TIMEOUT, TIMEOUT_S, VERSION
from installer.clients.caveat import Caveat
from installer.hooks import settings
from installer.hooks.editor import of_hooks
from installer.hooks.shape import Shape

if TYPE_CHECKING:
    from installer.hooks.editor import Editor
    from installer.hooks.entries import Entry
    from installer.hooks.program import Program

TITLE = "Copilot CLI"
PROGRAMS = ("copilot",)
AFTER = "Active in each Copilot CLI that is started from now on, in folders that you trust."
EMPTY = json.dumps({"version": VERSION, "hooks": {}}, indent=2) + "\n"
SHAPE = Shape("copilot", TITLE, line=COMMAND, is_grouped=False, empty=EMPTY, more=EVENTS)


def editor(program: Program) -> Editor:
    return of_hooks(SHAPE, program, EVENTS, _entry)


def _entry(_event: str, line: str) -> Entry:
    return {"type": "command", COMMAND: line, TIMEOUT: TIMEOUT_S}


def caveats(path: str, text: str) -> list[Caveat]:
    if settings.parse(text, SHAPE).get("disableAllHooks"):
        return [Caveat(f"{TITLE} runs none of these hooks: disableAllHooks is set", f"Remove it from {path}.")]
    return []


def note(_path: str) -> str:
    """Which folders these are is in a file that may hold keys: it is not opened."""
    return "it runs them only in folders that you trust"
