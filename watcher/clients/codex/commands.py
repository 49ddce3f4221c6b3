"""Which children of a Codex process are commands of its shell tool.

It marks none of them: `/bin/bash -c <command>`, or the command itself, which a shell becomes where it is a simple one.
So a hook or a server may look the same, and only what reads like a command that was called counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from processes.shell_words import LONGEST
from processes.shells import Command

if TYPE_CHECKING:
    from collections.abc import Iterable

    from processes.process import Proc

SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh", "fish"})
RUNS = frozenset({"-c", "-lc"})


def commands(children: Iterable[Proc], pid: int) -> tuple[Command, ...]:
    """Oldest first."""
    own = (child for child in children if child.ppid == pid and child.argv and not child.forked)
    found = [Command(one.pid, one.start, one.began, text(one.argv), is_marked=False) for one in own]
    return tuple(sorted(found, key=lambda command: (command.began, command.pid)))


def text(argv: tuple[str, ...]) -> str:
    program = argv[0].rpartition("/")[2].lstrip("-")
    is_shell = program in SHELLS and len(argv) > 2 and argv[1] in RUNS  # noqa: PLR2004 - a shell, -c, the command
    return (argv[2] if is_shell else " ".join(argv))[:LONGEST]
