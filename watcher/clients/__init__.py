"""Each client's own files and processes: one package a client, with the same names inside."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from contract.clients import NAMES

if TYPE_CHECKING:
    from watcher.clients.base import Adapter

DEFAULT = "claude"
CLIENTS = {name: f"watcher.clients.{name}.adapter" for name in NAMES}


def adapters() -> dict[str, Adapter]:
    """All that we know, by name."""
    return {name: import_module(module).ADAPTER for name, module in CLIENTS.items()}
