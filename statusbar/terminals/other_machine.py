"""An agent on another machine: the command that shows its tmux over ssh. Pure."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

from statusbar.terminals.whereabouts import Cannot
from statusbar.text.width import tidy

if TYPE_CHECKING:
    from contract.hosts import Host
    from contract.status import SessionStatus

# What is run there goes through a shell there, so nothing is handed on that a shell would read.
SOCKET = re.compile(r"/[A-Za-z0-9_@+=:,./-]{1,200}")
PANE = re.compile(r"%[0-9]{1,9}")
NAME, LONG = 40, 200


def argv(session: SessionStatus, host: Host | None) -> list[str]:
    """Raises Cannot with the reason, and with what the person can do instead."""
    ssh = _ssh(session, host)
    name = tidy(session.host, NAME)
    if not session.terminal.get("TMUX_PANE"):
        raise Cannot(f"it is not in tmux on {name}, so its terminal there cannot be shown. To log in: {_line(ssh)}")
    socket, pane = session.terminal.get("TMUX", "").rsplit(",", 2)[0], session.terminal["TMUX_PANE"]
    if not PANE.fullmatch(pane) or not SOCKET.fullmatch(socket):
        raise Cannot(f"its tmux on {name} cannot be named safely. To log in: {_line(ssh)}")
    # One command, because a tmux of this machine would read the `;` between two. It also selects the pane. With `-u`,
    # because ssh may not hand on the locale.
    return [*ssh, "tmux", "-u", "-S", socket, "attach-session", "-t", pane]


def _ssh(session: SessionStatus, host: Host | None) -> list[str]:
    """As the person wrote it in hosts.toml, with a terminal."""
    name = tidy(session.host, NAME)
    if host is None:
        raise Cannot(f"it runs on {name}, of which nothing is known any more")
    try:
        first, *rest = shlex.split(host.source)
    except ValueError:
        first, rest = "", []
    if first.rpartition("/")[2] != "ssh":
        raise Cannot(f"it runs on {name}, which is not reached by ssh but by: {tidy(host.source, LONG)}")
    return [first, "-t", *rest]


def _line(ssh: list[str]) -> str:
    return tidy(shlex.join(word for word in ssh if word != "-t"), LONG)
