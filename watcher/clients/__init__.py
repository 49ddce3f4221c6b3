"""Each client's own files and processes: one package a client, with the same names inside, and this table."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from watcher.clients.base import Adapter

DEFAULT = "claude"
CLIENTS = {
    "claude": "watcher.clients.claude.adapter",
    "codex": "watcher.clients.codex.adapter",
    "copilot": "watcher.clients.copilot.adapter",
    "gemini": "watcher.clients.gemini.adapter",
    "opencode": "watcher.clients.opencode.adapter",
    "qwen": "watcher.clients.qwen.adapter",
}


def adapters() -> dict[str, Adapter]:
    """All that we know, by name."""
    return {name: import_module(module).ADAPTER for name, module in CLIENTS.items()}
