"""What the words of Claude Code's notifications mean, as far as a fact keeps them."""

from __future__ import annotations

from watcher.clients.base import MateRequest

ASKS = " needs permission for "


def mate_request(words: str) -> MateRequest | None:
    """A lead tells of a teammate: "mia needs permission for Bash"."""
    name, asks, tool = words.rpartition(ASKS)
    return MateRequest(name, tool) if asks else None
