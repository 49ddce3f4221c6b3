"""Gemini CLI on loopback."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from e2e.agents.installation import install
from e2e.harness.script import tool

if TYPE_CHECKING:
    from e2e.agents.watched import WatchedAgents
    from e2e.harness.place import Place
    from e2e.harness.script import Step

ARGUMENTS = ("--model", "gemini-2.5-pro")
PROGRAMS = ()
PROCESS = ""
READY = r"Type your message"
TYPED = r"^\s*>\s+{}\W*workspace \(/directory"  # above the last line; in the conversation others are below it
ASKS = r"Allow once"
SETTINGS, TRUSTED = ".gemini/settings.json", ".gemini/trustedFolders.json"
TIMEOUT_MS = 10_000


def furnish(place: Place, _api_url: str, _program: str) -> None:
    place.write(
        SETTINGS,
        {
            "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": True}},
            "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
            "privacy": {"usageStatisticsEnabled": False},
            "telemetry": {"enabled": False},
            "ide": {"hasSeenNudge": True},
            "ui": {"hideTips": True},
        },
    )
    place.write(TRUSTED, {place.project: "TRUST_FOLDER"})


def listen(place: Place) -> None:
    install(place, "gemini")


def own_hook(place: Place, event: str, command: str) -> None:
    """A hook of the person's own beside ours, in `sh`."""
    settings = place.read(SETTINGS)
    settings["hooks"][event].append({"hooks": [{"type": "command", "name": "own", "command": command}]})
    place.write(SETTINGS, settings)


def environment(_place: Place, api_url: str) -> dict[str, str]:
    return {"GEMINI_API_KEY": "dummy-key-for-loopback", "GOOGLE_GEMINI_BASE_URL": api_url, "NO_BROWSER": "1"}


def leave(_place: Place) -> None:
    """Nothing outlives its terminal."""


def is_aside(_body: dict[str, Any]) -> bool:
    return False


def shell(command: str) -> Step:
    return tool("run_shell_command", command=command, description="run it")


def stay(door: str) -> Step:
    """A command that runs until the test lets it end."""
    return shell(f"wc {door}")


def write(path: str) -> Step:
    return tool("write_file", file_path=path, content="hi\n")


def question(words: str, *options: str) -> Step:
    choices = [{"label": option, "description": option} for option in options]
    return tool("ask_user", questions=[{"question": words, "header": "pick", "type": "choice", "options": choices}])


def spawn(_description: str, prompt: str) -> Step:
    return tool("invoke_agent", agent_name="generalist", prompt=prompt)


def complete(words: str) -> Step:
    """With which a sub-agent ends."""
    return tool("complete_task", result={"response": words})


def before_a_worker(_watched: WatchedAgents) -> None:
    """Nothing is to be done."""


LIMITS = ["Bash(touch:*)"], shell("touch made"), shell("mkdir other")


def busy(door: str) -> tuple[list[str], Step]:
    return ["Bash"], stay(door)
