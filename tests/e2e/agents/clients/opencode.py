"""OpenCode on loopback."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Any

from e2e.agents.installation import install
from e2e.harness.script import tool

if TYPE_CHECKING:
    from e2e.agents.watched import WatchedAgents
    from e2e.harness.place import Place
    from e2e.harness.script import Step

ARGUMENTS = ()
PROGRAMS = ("rg",)  # without it, it downloads one before the first request
PROCESS = ""
READY = r"Ask anything"
TYPED = r"┃\s+{}\s*\n\s*┃\s*\n\s*┃\s+Build ·"  # above the name of the mode; in the conversation nothing is below it
ASKS = r"Allow once"
CONFIG = ".config/opencode"
MODEL = {"name": "scripted", "tool_call": True, "limit": {"context": 100_000, "output": 4000}}
QUIET = ("AUTOUPDATE", "MODELS_FETCH", "LSP_DOWNLOAD", "DEFAULT_PLUGINS", "SHARE")


def furnish(place: Place, api_url: str, program: str) -> None:
    """With what it would else download for a plugin."""
    options = {"baseURL": f"{api_url}/v1", "apiKey": "dummy-key-for-loopback"}
    loop = {"npm": "@ai-sdk/openai-compatible", "name": "loop", "options": options, "models": {"scripted": MODEL}}
    place.write(
        f"{CONFIG}/opencode.json",
        {
            "autoupdate": False,
            "share": "disabled",
            "model": "loop/scripted",
            "small_model": "loop/scripted",
            "enabled_providers": ["loop"],
            "provider": {"loop": loop},
            "permission": {"bash": "ask", "edit": "ask"},
        },
    )
    _lend(place, os.path.dirname(program))


def listen(place: Place) -> None:
    install(place, "opencode")


def environment(_place: Place, _api_url: str) -> dict[str, str]:
    return {f"OPENCODE_DISABLE_{name}": "1" for name in QUIET}


def leave(_place: Place) -> None:
    """Nothing outlives its terminal."""


def is_aside(_body: dict[str, Any]) -> bool:
    return False


def shell(command: str) -> Step:
    return tool("bash", command=command, description="run it")


def stay(door: str) -> Step:
    """A command that runs until the test lets it end."""
    return shell(f"wc {door}")


def question(words: str, *options: str) -> Step:
    choices = [{"label": option, "description": option} for option in options]
    return tool("question", questions=[{"question": words, "header": "pick", "options": choices}])


def spawn(description: str, prompt: str) -> Step:
    return tool("task", description=description, prompt=prompt, subagent_type="general")


def _lend(place: Place, installed: str) -> None:
    """The packages that tools/agents.sh has installed beside it, as it lays them down itself."""
    for name in ("package.json", "package-lock.json"):
        shutil.copy(f"{installed}/{name}", f"{place.path}/{CONFIG}/{name}")
    os.symlink(f"{installed}/node_modules", f"{place.path}/{CONFIG}/node_modules")


def before_a_worker(_watched: WatchedAgents) -> None:
    """Nothing is to be done."""


LIMITS = ["Bash(touch:*)"], shell("touch made"), shell("mkdir other")


def busy(door: str) -> tuple[list[str], Step]:
    return ["Bash"], stay(door)
