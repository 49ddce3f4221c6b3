"""OpenCode: its folder, and the plugin of ours that tells of it."""

from __future__ import annotations

from contract import paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

CONFIG = ""  # no variable of its own moves its folder
MARKS: tuple[str, ...] = ()
PACKAGES = ("node_modules/opencode-ai",)
SERVICES = ("auth", "mcp", "models", "upgrade", "--version")
HOSTS: tuple[str, ...] = ()


def config_dir(env: Mapping[str, str]) -> str:
    return (env.get("XDG_CONFIG_HOME") or paths.user_home(env) + "/.config") + "/opencode"


def settings(env: Mapping[str, str]) -> str:
    """The plugin, which names the hook."""
    return config_dir(env) + "/plugin/yourturn.js"


def registered(_env: Mapping[str, str]) -> list[str]:
    """It keeps no list of its processes."""
    return []
