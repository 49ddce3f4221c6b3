"""Codex: the events that its hooks are registered for, and its folder."""

from __future__ import annotations

import posix

from contract import paths, store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

CONFIG = "CODEX_HOME"
MARKS: tuple[str, ...] = ()
PACKAGES = ("@openai/codex",)
SERVICES = ("mcp", "mcp-server", "login", "logout", "--version")
HOSTS = ("app-server",)
# Whether the client goes on without waiting for the hook: see `contract.clients.claude`.
EVENTS = {
    "SessionStart": False,
    "UserPromptSubmit": False,
    "PreToolUse": False,
    "PermissionRequest": False,
    "PostToolUse": False,  # that it may be told late was never tried with this client
    "SubagentStart": False,
    "SubagentStop": False,
    "Interrupt": False,
    "Stop": False,
    "PreCompact": False,
    "PostCompact": False,
    "SessionEnd": False,
}


def config_dir(env: Mapping[str, str]) -> str:
    """Where it keeps its settings, its rollouts and what its daemon says of itself."""
    chosen = env.get(CONFIG, "")
    return paths.absolute(chosen, posix.getcwd()) if chosen else paths.user_home(env) + "/.codex"


def settings(env: Mapping[str, str]) -> str:
    return config_dir(env) + "/hooks.json"


def registered(env: Mapping[str, str]) -> list[str]:
    """The locks of the threads that its processes have loaded."""
    return [name for name in store.names(config_dir(env) + "/thread-writer-locks", ".lock") if name[0] != "."]
