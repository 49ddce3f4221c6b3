"""How each client is started as a worker, and what its output says of the end: one file each, same names inside.

`command(task, rights)` gives the arguments after the program, for a prompt on standard input. `restricted`
gives the arguments that hold a command line of the user's own to its rights. `result(code, output)` says what an end
means.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from agency.result import Result
    from agency.rights import Rights
    from agency.task import Task

CLIENTS = {"claude": "agency.clients.claude"}


class Client(Protocol):
    ENFORCES: str  # what of the rights the client itself holds its agent to, in a sentence

    def command(self, task: Task, rights: Rights) -> list[str]: ...
    def restricted(self, arguments: tuple[str, ...], session: str, rights: Rights) -> list[str]: ...
    def works_alone(self, arguments: tuple[str, ...]) -> bool: ...
    def session_named(self, arguments: tuple[str, ...]) -> str: ...
    def result(self, code: int, output: bytes) -> Result: ...


def named(client: str) -> Client | None:
    """None for a program that is no client we can start as a worker."""
    module = CLIENTS.get(client)
    found: Client | None = cast("Client", import_module(module)) if module else None
    return found
