"""How the shell of a command looks, where a client marks it: one file each, with the same name inside.

`command(argv)` is what the agent told the client to run, '' if that is not in the argv, and None for any other process.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from contract.client_modules import found_in

if TYPE_CHECKING:
    from collections.abc import Callable

    Look = Callable[[tuple[str, ...]], str | None]

CLIENTS = found_in("processes.clients", __file__)


@cache
def looks() -> tuple[Look, ...]:
    """Of all clients that mark their commands."""
    return tuple(import_module(module).command for module in CLIENTS.values())
