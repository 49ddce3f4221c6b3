"""Copilot CLI: the events that its hooks are registered for, and its folder."""

from __future__ import annotations

import posix

from contract import paths, store, wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

CONFIG = "COPILOT_HOME"
MARKS = ("COPILOT_CLI",)
PACKAGES = ("@github/copilot",)
SERVICES = ("help", "--version")
HOSTS: tuple[str, ...] = ()
# Each with what follows `hook.py copilot` in its command: nothing, as under these names the payload tells which event
# it is (under the client's own names, such as `agentStop`, it does not). No event of a call is among them: the client
# waits for those, and its `events.jsonl` tells the same with the id of the call.
EVENTS = {
    "SessionStart": "",
    "UserPromptSubmit": "",
    "Notification": "",
    "SubagentStart": "",
    "SubagentStop": "",
    "Stop": "",
    "SessionEnd": "",
}
VERSION = 1  # of a file of hooks
COMMAND, TIMEOUT = "bash", "timeoutSec"  # the keys of an entry, beside `"type": "command"`
TIMEOUT_S = 10
# The client's registry, and the folder with a folder for each session.
OPEN_SESSIONS, SESSIONS = "open-sessions-state.json", "session-state"


def config_dir(env: Mapping[str, str]) -> str:
    chosen = env.get(CONFIG, "")
    return paths.absolute(chosen, posix.getcwd()) if chosen else paths.user_home(env) + "/.copilot"


def settings(env: Mapping[str, str]) -> str:
    """A file of our own: the client reads all that lie in this folder."""
    return config_dir(env) + "/hooks/yourturn.json"


def registered(env: Mapping[str, str]) -> list[str]:
    """The sessions that it lists as open; one that was killed stays in the list."""
    try:
        listed = wire.decode(store.read(f"{config_dir(env)}/{OPEN_SESSIONS}") or b"{}")
    except (OSError, ValueError):
        return []
    return sorted(listed) if isinstance(listed, dict) else []
