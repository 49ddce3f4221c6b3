"""Qwen Code on loopback."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from e2e.agents.installation import install
from e2e.harness.script import tool

if TYPE_CHECKING:
    from e2e.agents.watched import WatchedAgents
    from e2e.harness.place import Place
    from e2e.harness.script import Step

ARGUMENTS = ()
PROGRAMS = ()
PROCESS = ""
READY = r"Type your message"
TYPED = r"^>\s+{}\W*$"  # a mark without width comes after it
ASKS = r"Yes, allow once"
SETTINGS = ".qwen/settings.json"
HELPER = "managed memory"


def furnish(place: Place, _api_url: str, _program: str) -> None:
    place.write(
        SETTINGS,
        {
            "security": {"auth": {"selectedType": "openai"}},
            "model": {"name": "scripted"},
            "general": {"enableAutoUpdate": False},
            "privacy": {"usageStatisticsEnabled": False},
            "telemetry": {"enabled": False},
        },
    )


def listen(place: Place) -> None:
    install(place, "qwen")


def environment(_place: Place, api_url: str) -> dict[str, str]:
    return {
        "OPENAI_API_KEY": "dummy-key-for-loopback",
        "OPENAI_BASE_URL": f"{api_url}/v1",
        "OPENAI_MODEL": "scripted",
        "NO_BROWSER": "1",
    }


def leave(_place: Place) -> None:
    """Nothing outlives its terminal."""


def is_aside(body: dict[str, Any]) -> bool:
    """A helper with tools looks for what is worth to be remembered of a conversation."""
    return HELPER in json.dumps(body["messages"][:1])


def shell(command: str) -> Step:
    """It refuses a plain `sleep` in the foreground."""
    return tool("run_shell_command", command=command, description="run it", is_background=False)


def stay(door: str) -> Step:
    """A command that it asks for, and that runs until the test lets it end; it runs what only reads without asking."""
    return shell(f"touch made; wc {door}")


def question(words: str, *options: str) -> Step:
    choices = [{"label": option, "description": option} for option in options]
    asked = {"question": words, "header": "pick", "multiSelect": False, "options": choices}
    return tool("ask_user_question", questions=[asked])


def spawn(description: str, prompt: str) -> Step:
    return tool("agent", description=description, prompt=prompt, subagent_type="general-purpose")


def before_a_worker(_watched: WatchedAgents) -> None:
    """Nothing is to be done."""


LIMITS = ["Bash(touch:*)", "Write"], shell("touch made"), shell("mkdir other")  # it sees that the command writes


def busy(door: str) -> tuple[list[str], Step]:
    return ["Bash", "Read", "Write"], stay(door)
