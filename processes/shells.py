r"""Which children of a client are commands that its agent runs.

A client has many children: hooks, git, MCP servers, its own helpers. How the shell of a command looks differs from
client to client: a `Look` gives what the agent told it to run, and None for any other process.

Claude Code's sources a snapshot of the user's shell or ends by writing its folder to a file, with an `eval` of the
command between:

    /bin/bash -c "source …/shell-snapshots/snapshot-bash-….sh && eval 'npm test' && pwd -P >| /tmp/…-cwd"

Gemini CLI's notes what the command leaves behind:

    bash -c "shopt -u …; _bgpids_file=/tmp/gemini-shell-…/bgpids.tmp
    (
      trap 'jobs -p > "$_bgpids_file"' EXIT
    npm test
    )
    __code=$?
    exit $__code"

Anything else, however much like a command it looks, is none: a hook may well say `eval` too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from processes.process import Proc

    Look = Callable[[tuple[str, ...]], str | None]

SNAPSHOT = re.compile(r"\s*(?:source|\.) [^&\n]{1,1024}/shell-snapshots/snapshot-")
EVAL = re.compile(r"&& '?eval'? ")
PLAIN_EVAL = "&& eval "
FOLDER_KEPT = re.compile(r"&& pwd -P >\| \S+\s*\Z")
NOTED = re.compile(r"\s*(?:shopt [^;\n]{1,400};)?\s*_bgpids_file=[^\n]{1,1024}\n\(\n\s*trap [^\n]{1,200} EXIT\n")
NOTED_END = re.compile(r"\n\)\n__code=\$\?\nexit \$__code\s*\Z")
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
    claims: tuple[str, ...] = ()  # equal calls, where it may belong to any of them
    is_marked: bool = True  # the client marks its commands, so that this is none of a hook or a server


def commands(procs: Iterable[Proc], client: int, look: Look, since: float = 0.0) -> tuple[Command, ...]:
    """The commands right below the client that began at this second since boot or later, oldest first."""
    shells = (p for p in procs if p.ppid == client and not p.forked and p.began >= since)
    found = [Command(p.pid, p.start, p.began, text) for p in shells if (text := look(p.argv)) is not None]
    return tuple(sorted(found, key=lambda command: (command.began, command.pid)))


def command_text(argv: tuple[str, ...]) -> str | None:
    """Where nobody says which client it is of: as any of those that we know would have it."""
    return next((text for look in LOOKS if (text := look(argv)) is not None), None)


def claude_command(argv: tuple[str, ...]) -> str | None:
    """A sandbox may wrap the shell."""
    for word in argv[1:]:
        if EVAL.search(word) and (SNAPSHOT.match(word) or FOLDER_KEPT.search(word)):
            _, found, rest = word.partition(PLAIN_EVAL)
            return first_word(rest) if found else ""
    return None


def gemini_command(argv: tuple[str, ...]) -> str | None:
    """As above."""
    for word in argv[1:]:
        if begun := NOTED.match(word):
            return NOTED_END.sub("", word[begun.end() :])[:LONGEST]
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


LOOKS = (claude_command, gemini_command)
