"""Copilot CLI on loopback, offline and with a provider of one's own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from contract.clients.copilot import COMMAND, TIMEOUT, TIMEOUT_S
from e2e.agents.installation import install
from e2e.harness.script import tool

if TYPE_CHECKING:
    from e2e.agents.agent import Agent
    from e2e.agents.watched import WatchedAgents
    from e2e.harness.place import Place
    from e2e.harness.script import Step

ARGUMENTS = ("--no-auto-update",)
PROGRAMS = ()
PROCESS = ""
READY = r"/ commands"
TYPED = r"^\u276f\s+{}(?: \[prompt\])?\s*$"  # a hint may follow it
ASKS = r"Do you want to"
HOOKS = ".copilot/hooks/yourturn.json"


def furnish(place: Place, _api_url: str, _program: str) -> None:
    """The folder is trusted, and there is nothing to be greeted with."""
    place.write(
        ".copilot/config.json",
        {"trusted_folders": [place.project], "banner": "never", "firstLaunchAt": "2026-01-01T00:00:00.000Z"},
    )


def listen(place: Place) -> None:
    install(place, "copilot")


def entry(command: str) -> list[dict[str, Any]]:
    return [{"type": "command", COMMAND: command, TIMEOUT: TIMEOUT_S}]


def environment(_place: Place, api_url: str) -> dict[str, str]:
    return {
        "COPILOT_PROVIDER_TYPE": "openai",
        "COPILOT_PROVIDER_BASE_URL": f"{api_url}/v1",
        "COPILOT_PROVIDER_API_KEY": "dummy-key-for-loopback",
        "COPILOT_MODEL": "scripted",
        "COPILOT_OFFLINE": "true",
        "COPILOT_AUTO_UPDATE": "false",
        "COLORTERM": "truecolor",
        "NO_BROWSER": "1",
    }


def leave(_place: Place) -> None:
    """Nothing outlives its terminal."""


def is_aside(_body: dict[str, Any]) -> bool:
    return False


def shell(command: str) -> Step:
    return tool("bash", command=command, description="run it", mode="sync", initial_wait=30)


STAYS = re.compile("^Bash: touch made; wc ")  # how that of `stay` is shown


def stay(door: str) -> Step:
    """A command that it asks for, and that runs until the test lets it end; it runs what only reads without asking."""
    return shell(f"touch made; wc {door}")


def question(words: str, *options: str) -> Step:
    colour = {"type": "string", "enum": list(options), "title": "Choice"}
    schema = {"type": "object", "properties": {"choice": colour}, "required": ["choice"]}
    return tool("ask_user", message=words, requestedSchema=schema)


def spawn(description: str, prompt: str, mode: str = "sync") -> Step:
    kind = {"agent_type": "general-purpose", "name": description, "mode": mode}
    return tool("task", description=description, prompt=prompt, **kind)


def before_a_worker(_watched: WatchedAgents) -> None:
    """Nothing is to be done."""


LIMITS = ["Bash(touch:*)"], shell("touch made"), shell("mkdir other")


def busy(door: str) -> tuple[list[str], Step]:
    return ["Bash"], stay(door)


def interrupt(agent: Agent) -> None:
    """The first Escape only makes it ask for a second one."""
    agent.key("Escape")
    agent.wait("again to")
    agent.key("Escape")
