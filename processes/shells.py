"""Which children of a client are commands that its agent runs.

A client has many children: hooks, git, MCP servers, its own helpers. How the shell of a command looks differs from
client to client: `processes.clients` has a file for each that marks it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from processes import clients

if TYPE_CHECKING:
    from collections.abc import Iterable

    from processes.clients import Look
    from processes.process import Proc


class Command(NamedTuple):
    """A command that runs, or ran at the time of the snapshot."""

    pid: int
    start: str
    began: float  # seconds since boot
    text: str  # as the agent wrote it, cut at a bound; '' if the client did not put it into the argv
    call: str = ""  # that it belongs to, as far as was known when it was first seen
    claims: tuple[str, ...] = ()  # equal calls, where it may belong to any of them
    is_marked: bool = True  # the client marks its commands, so that this is none of a hook or a server


def commands(procs: Iterable[Proc], client: int, look: Look, since: float = 0.0) -> tuple[Command, ...]:
    """The commands right below the client that began at this second since boot or later, oldest first."""
    shells = (p for p in procs if p.ppid == client and not p.forked and p.began >= since)
    found = [Command(p.pid, p.start, p.began, text) for p in shells if (text := look(p.argv)) is not None]
    return tuple(sorted(found, key=lambda command: (command.began, command.pid)))


def command_text(argv: tuple[str, ...]) -> str | None:
    """Where nobody says which client it is of: as any of those that we know would have it."""
    return next((text for look in clients.looks() if (text := look(argv)) is not None), None)
