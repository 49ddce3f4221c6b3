"""VS Code and editors based on it: opening a folder that is already open brings its window to the front."""

from __future__ import annotations

from statusbar.terminals.whereabouts import Cannot, Steps, Whereabouts

NAME = "VS Code"
LIMIT = "window raised; pick the terminal yourself"
# The command of each, by a word in the name of its program. The first match is used, so "code" comes last.
FAMILY = {
    "cursor": "cursor",
    "windsurf": "windsurf",
    "codium": "codium",
    "insiders": "code-insiders",
    "code": "code",
}


def is_home(where: Whereabouts) -> bool:
    return where.get("TERM_PROGRAM") == "vscode"


def steps(where: Whereabouts) -> Steps:
    if not where.cwd.startswith("/"):
        raise Cannot("its folder is unknown")
    names = [command for program in where.above for word, command in FAMILY.items() if word in program.lower()]
    command = where.first_tool(*names, *FAMILY.values())
    if not command:
        raise Cannot("the editor's command is not on PATH. In the editor: 'Shell Command: Install in PATH'")
    return [[command, where.cwd]]
