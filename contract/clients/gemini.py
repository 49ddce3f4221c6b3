"""Gemini CLI: the events that its hooks are registered for, and its folder."""

from __future__ import annotations

from contract import paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

CONFIG = ""  # none names the folder itself
HOME = "GEMINI_CLI_HOME"  # names the folder that it is in
MARKS = ("GEMINI_SESSION_ID",)
PACKAGES = ("@google/gemini-cli",)
SERVICES = ("mcp", "extensions", "--version")
HOSTS: tuple[str, ...] = ()
# Whether the client goes on without waiting for the hook: see `contract.clients.claude`. It cannot be told to; it waits
# for all of these but the first and the last. PreCompress comes with every request and says nothing; BeforeModel,
# AfterModel and BeforeToolSelection come with every request or every word.
EVENTS = {
    "SessionStart": False,
    "BeforeAgent": False,
    "BeforeTool": False,
    "Notification": False,
    "AfterTool": False,
    "AfterAgent": False,
    "SessionEnd": False,
}


def config_dir(env: Mapping[str, str]) -> str:
    return (env.get(HOME) or paths.user_home(env)) + "/.gemini"


def settings(env: Mapping[str, str]) -> str:
    return config_dir(env) + "/settings.json"


def registered(_env: Mapping[str, str]) -> list[str]:
    """It keeps no list of its processes."""
    return []
