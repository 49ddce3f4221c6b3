r"""Which children of a client are commands of its Bash tool.

A client has many children: hooks, git, MCP servers, its own helpers. Only the Bash tool's shell sources a
snapshot of the user's shell or ends by writing its folder to a file, with an `eval` of the command between:

    /bin/bash -c "source …/shell-snapshots/snapshot-bash-….sh && eval 'npm test' && pwd -P >| /tmp/…-cwd"

Anything else, however much like a command it looks, is none: a hook may well say `eval` too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from processes.process import Proc

SNAPSHOT = re.compile(r"\s*(?:source|\.) [^&\n]{1,1024}/shell-snapshots/snapshot-")
EVAL = re.compile(r"&& '?eval'? ")
PLAIN_EVAL = "&& eval "
FOLDER_KEPT = re.compile(r"&& pwd -P >\| \S+\s*\Z")
PIECE = re.compile(r"'([^']*)(?:'|\Z)|\"((?:[^\"\\]|\\.)*)(?:\"|\Z)|\\(.)|([^\s'\"\\]+)", re.DOTALL)
ESCAPED = re.compile(r"\\([$`\"\\!\n])")
LONGEST = 4096


class Command(NamedTuple):
    """A command that runs, or ran at the time of the snapshot."""

    pid: int
    start: str
    began: float  # seconds since boot
    text: str  # as the agent wrote it, cut at a bound; '' if the client did not put it into the argv
    call: str = ""  # that it belongs to, as far as was known when it was first seen


def commands(procs: Iterable[Proc], client: int, since: float = 0.0) -> tuple[Command, ...]:
    """The commands right below the client that began at this second since boot or later, oldest first."""
    shells = (p for p in procs if p.ppid == client and not p.forked and p.began >= since)
    found = [Command(p.pid, p.start, p.began, text) for p in shells if (text := command_text(p.argv)) is not None]
    return tuple(sorted(found, key=lambda command: (command.began, command.pid)))


def command_text(argv: tuple[str, ...]) -> str | None:
    """What the Bash tool was told to run; None for any other process. A sandbox may wrap the shell."""
    for word in argv[1:]:
        if EVAL.search(word) and (SNAPSHOT.match(word) or FOLDER_KEPT.search(word)):
            _, found, rest = word.partition(PLAIN_EVAL)
            return first_word(rest) if found else ""
    return None


def first_word(text: str) -> str:
    """The first word of a shell line, unquoted. A bound may have cut its end off."""
    pieces, at, room = [], 0, LONGEST
    while room > 0 and (found := PIECE.match(text, at)):
        single, double, escaped, bare = found.groups()
        piece = ESCAPED.sub(r"\1", double) if double is not None else single or escaped or bare or ""
        pieces.append(piece[:room])
        room -= len(piece)
        at = found.end()
    return "".join(pieces)
