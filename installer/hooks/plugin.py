"""The same hooks as a Claude Code plugin; `python -m installer.hooks.plugin` writes its files anew."""

from __future__ import annotations

import json
import os
import shlex
from typing import Any

from contract.clients.claude import EVENTS
from contract.version import VERSION
from installer.hooks import entries, shape
from installer.hooks.program import OLDEST_PYTHON, PROJECT

NAME = "yourturn"
DESCRIPTION = "Records what each agent is doing, so that yourturn can tell which one is blocked on you."
AUTHOR = {"name": "The yourturn authors"}
# The client fills in the folder, and leaves quoting to us.
SCRIPT = '"${CLAUDE_PLUGIN_ROOT}/hook.py"'
UNSEEN = ">/dev/null 2>&1"
# Where a hook may say that no watcher can be started, see `recorder.start`: these two the user is looking at.
HEARD = ("SessionStart", "UserPromptSubmit")


def command(event: str) -> str:
    """Not `exec`, as in the settings: python3 may be the shim of a version manager, which fails in some projects."""
    unseen = "2>/dev/null" if event in HEARD else UNSEEN
    return f"test -r {SCRIPT} && python3 -S -E {SCRIPT} {entries.CLIENT} {unseen}; :{shape.MARK}"


def check() -> str:
    """A shell line that says at the start of a session why nothing is recorded, if the hook's Python cannot do it.

    Only a shell can: a hook without a Python cannot speak, and one with an old Python cannot even read its own code.
    """
    wanted = ".".join(map(str, OLDEST_PYTHON))
    words = f"yourturn records nothing: its hooks need python3 on PATH, version {wanted} or newer."
    asked = f"python3 -S -E -c 'import sys; sys.exit(sys.version_info < {OLDEST_PYTHON})' {UNSEEN}"
    said = shlex.quote(json.dumps({"systemMessage": words}))
    return f"test -r {SCRIPT} && ! {asked} && echo {said}; :{shape.MARK}"


def manifest() -> dict[str, Any]:
    """Without `hooks`: the client finds hooks/hooks.json by itself and complains when it is named too."""
    return {
        "name": NAME,
        "version": VERSION,
        "description": DESCRIPTION,
        "author": AUTHOR,
        "license": "MIT",
        "keywords": ["status", "menubar", "notifications"],
    }


def marketplace() -> dict[str, Any]:
    """This repository offers one plugin: itself. Its version and the rest are in the manifest."""
    return {
        "name": NAME,
        "description": "See which of your coding agents need you, which are working, which are waiting.",
        "owner": AUTHOR,
        "plugins": [{"name": NAME, "source": "./", "description": DESCRIPTION}],
    }


def hook_file() -> dict[str, Any]:
    groups = {event: [entries.group(entries.entries(command(event))[event])] for event in EVENTS}
    groups["SessionStart"].append(entries.group(entries.entry(check(), in_background=False)))
    return {"description": DESCRIPTION, "hooks": groups}


def generated() -> dict[str, str]:
    """Each file of the plugin, by its path in the project."""
    made = {
        ".claude-plugin/plugin.json": manifest(),
        ".claude-plugin/marketplace.json": marketplace(),
        "hooks/hooks.json": hook_file(),
    }
    return {path: json.dumps(value, indent=2) + "\n" for path, value in made.items()}


def write(project: str = PROJECT) -> None:
    for name, text in generated().items():
        path = os.path.join(project, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    write()
