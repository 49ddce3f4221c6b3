"""Qwen Code: the events that its hooks are registered for, and its folder."""

from __future__ import annotations

import posix

from contract import paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

CONFIG = "QWEN_HOME"
MARKS = ("QWEN_PROJECT_DIR",)
PACKAGES = ("@qwen-code/qwen-code",)
SERVICES = ("mcp", "--version")
HOSTS: tuple[str, ...] = ()
# Whether the client goes on without waiting for the hook: see `contract.clients.claude`.
EVENTS = {
    "SessionStart": False,
    "UserPromptSubmit": False,
    "PermissionRequest": False,
    "PreToolUse": False,
    "PostToolUse": True,
    "PostToolUseFailure": True,
    "Notification": False,  # the client never waits for it, and an async one would only be later
    "SubagentStart": False,
    "SubagentStop": False,
    "Stop": False,
    "StopFailure": False,
    "SessionEnd": False,
}


def config_dir(env: Mapping[str, str]) -> str:
    chosen = env.get(CONFIG, "")
    return paths.absolute(chosen, posix.getcwd()) if chosen else paths.user_home(env) + "/.qwen"


def settings(env: Mapping[str, str]) -> str:
    return config_dir(env) + "/settings.json"


def registered(_env: Mapping[str, str]) -> list[str]:
    """It keeps no list of its processes."""
    return []
