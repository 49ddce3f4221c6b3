"""OpenCode: a plugin of ours in its folder of plugins, made from `plugins/opencode/yourturn.js`."""

from __future__ import annotations

import json
import os
import re
from functools import cache
from typing import TYPE_CHECKING

from installer.hooks.editor import ProgramEditor
from installer.hooks.program import PROJECT, Program

if TYPE_CHECKING:
    from installer.clients.caveat import Caveat
    from installer.hooks.editor import Editor

TITLE = "OpenCode"
PROGRAMS = ("opencode",)
AFTER = "Active in each OpenCode that is started from now on."
TEMPLATE = os.path.join(PROJECT, "plugins", "opencode", "yourturn.js")
MARK = "// Tells yourturn what happens in OpenCode"  # the beginning of every version of it
PLACES = {'"@python@"': 0, '"@hook@"': 1}
WORDS = re.compile(r'^const COMMAND = \[("(?:[^"\\]|\\.)*"), "-S", "-E", ("(?:[^"\\]|\\.)*"),', re.MULTILINE)


def editor(program: Program) -> Editor:
    return ProgramEditor(MARK, program, written, read)


def written(program: Program) -> str:
    """JSON's way to write a string is JavaScript's too, and with ASCII alone no character has a meaning of its own."""
    return re.sub("|".join(PLACES), lambda place: json.dumps(program[PLACES[place[0]]]), _template())


def read(text: str) -> Program | None:
    """What a plugin starts; None if its line was edited."""
    found = WORDS.search(text)
    try:
        return Program(*map(json.loads, found.groups())) if found else None
    except ValueError:
        return None


def caveats(_path: str, _text: str) -> list[Caveat]:
    return []


def note(_path: str) -> str:
    return ""


@cache
def _template() -> str:
    with open(TEMPLATE, encoding="utf-8") as file:
        return file.read()
