"""The other clients that are played: one small model each, with the same names inside, and this table."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simulator.clients.terminal import Terminal

CLIENTS = {
    "codex": "simulator.clients.codex",
    "codex-daemon": "simulator.clients.codex_daemon",
    "copilot": "simulator.clients.copilot",
    "gemini": "simulator.clients.gemini",
    "opencode": "simulator.clients.opencode",
    "qwen": "simulator.clients.qwen",
}


def model(name: str) -> type[Terminal]:
    """Its processes."""
    found: type[Terminal] = import_module(CLIENTS[name]).MODEL
    return found
