"""The other clients that are played: one small model each, with the same names inside.

A client that runs in two ways has two files: `codex.py` and `codex_daemon.py`.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from contract.clients import NAMES

if TYPE_CHECKING:
    from simulator.clients.terminal import Terminal

MODELS = sorted(path.stem for path in Path(__file__).parent.glob("*.py") if path.stem.partition("_")[0] in NAMES)
CLIENTS = {name.replace("_", "-"): f"simulator.clients.{name}" for name in MODELS}


def model(name: str) -> type[Terminal]:
    """Its processes."""
    found: type[Terminal] = import_module(CLIENTS[name]).MODEL
    return found
