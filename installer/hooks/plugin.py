"""The same hooks as a Claude Code plugin; `python -m installer.hooks.plugin` writes its files anew."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from contract import typed
from contract.version import VERSION
from installer.hooks import entries
from installer.hooks.program import PROJECT

if TYPE_CHECKING:
    from collections.abc import Mapping

# The client fills in the folder, and leaves quoting to us.
COMMAND = entries.command("python3", '"${CLAUDE_PLUGIN_ROOT}/hook.py"', "command -v python3 >/dev/null")
NAME = "yourturn"
DESCRIPTION = "Records what each agent is doing, so that yourturn can tell which one is blocked on you."


def one_of_two() -> str:
    return f"Run `{typed.command('uninstall --keep-state')}`, or disable the plugin."


def is_enabled(settings: Mapping[str, Any]) -> bool:
    """Whether the person uses the plugin, from whichever marketplace."""
    chosen = settings.get("enabledPlugins")
    names = [name for name, on in chosen.items() if on] if isinstance(chosen, dict) else []
    return any(name.partition("@")[0] == NAME for name in names)


def manifest() -> dict[str, Any]:
    """Without `hooks`: the client finds hooks/hooks.json by itself and complains when it is named too."""
    return {
        "name": NAME,
        "version": VERSION,
        "description": DESCRIPTION,
        "author": {"name": "The yourturn authors"},
        "license": "MIT",
        "keywords": ["status", "menubar", "notifications"],
    }


def hook_file() -> dict[str, Any]:
    groups = {event: [entries.group(entry)] for event, entry in entries.entries(COMMAND).items()}
    return {"description": DESCRIPTION, "hooks": groups}


def generated() -> dict[str, str]:
    """Each file of the plugin, by its path in the project."""
    made = {".claude-plugin/plugin.json": manifest(), "hooks/hooks.json": hook_file()}
    return {path: json.dumps(value, indent=2) + "\n" for path, value in made.items()}


def write(project: str = PROJECT) -> None:
    for name, text in generated().items():
        path = os.path.join(project, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    write()
