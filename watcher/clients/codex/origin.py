"""Where a process of Codex comes from: besides its program, whether it can ask nobody, and whether it is the daemon."""

from __future__ import annotations

from typing import TYPE_CHECKING

from watcher.clients import origin as any_client

if TYPE_CHECKING:
    from processes.table import Probe
    from watcher.clients.base import Origin

# The first of these among its arguments is its command; what comes before are options, some with a value.
COMMANDS = frozenset({"exec", "e", "review", "resume", "fork", "app-server", "mcp-server", "cloud", "apply"})
HEADLESS = frozenset({"exec", "e", "review"})


def origin(pid: int, probe: Probe) -> Origin:
    found = any_client.origin(pid, probe)
    return found._replace(headless=command(found.arguments) in HEADLESS)


def command(arguments: tuple[str, ...]) -> str:
    """'' for a terminal with a new session."""
    return next((word for word in arguments if word in COMMANDS), "")
