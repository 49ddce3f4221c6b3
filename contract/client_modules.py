"""The modules that a room has for clients: found by their files, imported when they are asked for."""

from __future__ import annotations

import posix
import sys

from contract.clients import NAMES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def found_in(room: str, file: str, ending: str = "") -> dict[str, str]:
    """By client, its module in a room that has none for some of them. `file` is the room's `__init__.py`."""
    there = posix.listdir(file.rpartition("/")[0])
    return {name: f"{room}.{name}{ending}" for name in NAMES if f"{name}{ending}.py" in there}


def module_of(modules: Mapping[str, str], client: str) -> Any:
    """None for a client that the room has none for."""
    name = modules.get(client)
    if name is None:
        return None
    __import__(name)  # also if it is in `sys.modules`: another thread may be in the midst of importing it
    return sys.modules[name]
