"""The command that reaches a host, with what is to be run there behind it. Pure.

What is run there are plain words without a character that a shell would read, because ssh hands them to a shell and
`docker exec` does not.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

# Where yourturn may be there. A login shell over ssh often lacks the folder that pipx and uv install into; it starts in
# the home.
PROGRAMS = ("yourturn", ".local/bin/yourturn")
# Never a question at a terminal that nobody sees, and a connection that is cut is noticed. The user's own configuration
# stays as it is: jump hosts, ports, keys. But this connection must not take the ports that are meant for the user's own
# sessions, nor become the connection that they share: it may end at any time.
SSH_OPTIONS = (
    "BatchMode=yes", "ConnectTimeout=10", "ServerAliveInterval=5", "ServerAliveCountMax=2", "ClearAllForwardings=yes",
    "ControlMaster=no",
)  # fmt: skip
SSH_FLAGS = ("-T", "-a", "-x")  # no terminal, no agent and no display for the other side
WORD = re.compile(r"[A-Za-z0-9_@%+=:,./~-]+")
NOT_FOUND = (126, 127)


def argv(command: Sequence[str], program: str, beat_s: float | None) -> list[str]:
    beat = ["--beat", f"{beat_s:g}"] if beat_s else []
    return [*reaching(command), *program.split(), "status", "--json", "--full", "--watch", "--all", *beat]


def reaching(command: Sequence[str]) -> list[str]:
    """With the options that ssh needs to be run by a program; another command is as the user wrote it."""
    first, *rest = command
    if not is_ssh(command):
        return [*command]
    options = [word for option in SSH_OPTIONS for word in ("-o", option)]
    return [first, *SSH_FLAGS, *options, *rest]


def is_ssh(command: Sequence[str]) -> bool:
    return command[0].rpartition("/")[2] == "ssh"


def is_word(text: str) -> bool:
    return bool(WORD.fullmatch(text))


def is_plain(program: str) -> bool:
    """Whether each of its words means the same to a shell and to a system call."""
    words = program.split()
    return bool(words) and all(map(is_word, words))


def does_not_know(option: str, said: str) -> bool:
    """Whether an older version there has refused this option."""
    return "unrecognized arguments" in said and option in said
