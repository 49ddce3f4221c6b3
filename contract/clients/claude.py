"""Claude Code: the events that its hooks are registered for, and its folder.

The events are here and not in `recorder.clients.claude`, because the installer writes them into the client's settings
and doctor looks for them there, and the installer does not import the recorder. A test holds both tables together.
"""

from __future__ import annotations

import posix

from contract import paths, store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

CONFIG = "CLAUDE_CONFIG_DIR"
MARKS = ("CLAUDECODE",)
PACKAGES = ("@anthropic-ai/claude-code",)
SERVICES = (
    "agents", "attach", "auth", "auto-mode", "config", "doctor", "gateway", "import", "install", "logs",
    "mcp", "plugin", "plugins", "purge", "respawn", "rm", "setup-token", "stop", "kill", "update", "upgrade",
    "-v", "--version", "-h", "--help",
)  # fmt: skip
HOSTS = ("daemon", "--bg-pty-host", "--bg-spare", "bg-pty-host", "bg-spare")
# Whether the client goes on without waiting for the hook. It may where order does not matter: the end of a call is
# told by its id, and a notification is late anyway. It may not where a later event builds on this one (a prompt
# before its Stop, a PreToolUse before its PermissionRequest) or where the client may be gone before the hook is
# (Stop of `-p`, SessionEnd).
EVENTS = {
    "SessionStart": False,
    "UserPromptSubmit": False,
    "PreToolUse": False,
    "PermissionRequest": False,
    "PermissionDenied": True,
    "PostToolUse": True,
    "PostToolUseFailure": True,
    "PostToolBatch": True,
    "Notification": True,
    "Elicitation": False,
    "ElicitationResult": False,
    "SubagentStart": False,
    "SubagentStop": False,
    "Stop": False,
    "StopFailure": False,
    "TeammateIdle": False,
    "PreCompact": False,
    "PostCompact": False,
    "SessionEnd": False,
}


def config_dir(env: Mapping[str, str]) -> str:
    """Where it keeps its settings, transcripts and registry."""
    chosen = env.get(CONFIG, "")
    return paths.absolute(chosen, posix.getcwd()) if chosen else paths.user_home(env) + "/.claude"


def settings(env: Mapping[str, str]) -> str:
    """The person's own settings, which name the hooks."""
    return config_dir(env) + "/settings.json"


def registered(env: Mapping[str, str]) -> list[str]:
    """The files in which its processes say that they run."""
    return store.names(config_dir(env) + "/sessions")
