"""tmux: selects the pane over the server's socket; another file then raises the terminal around it."""

from __future__ import annotations

import shlex
from typing import NamedTuple

from statusbar.terminals.whereabouts import LONGEST, Cannot, Steps, Whereabouts
from statusbar.text.width import tidy

NAME = "tmux"
LIMIT = ""
FIELDS = ("client_activity", "client_pid", "session_id", "client_tty", "client_flags", "client_control_mode")
FORMAT = "\t".join(f"#{{{name}}}" for name in FIELDS)
SEEN = "#{pane_active} #{window_active} #{session_id} #{session_attached}"


class Client(NamedTuple):
    """A terminal that shows a session of tmux."""

    activity: int
    pid: int
    session: str
    tty: str
    focused: bool


def is_home(where: Whereabouts) -> bool:
    """Where only Claude Code's registry is known, TMUX is missing: it has only the pane."""
    return bool(where.get("TMUX") or where.get("TMUX_PANE"))


def asks(where: Whereabouts) -> Steps:
    """The questions to ask first: which client shows which session, and which session has the pane."""
    return [
        [*_tmux(where), "list-clients", "-F", FORMAT],
        [*_tmux(where), "display-message", "-p", "-t", _pane(where), "#{session_id}"],
    ]


def clients(printed: str) -> list[Client]:
    """From what `list-clients` prints, the last used first. Clients in control mode are not terminals."""
    listed = []
    for line in printed.splitlines():
        parts = line.split("\t")
        if len(parts) == len(FIELDS) and parts[0].isdigit() and parts[1].isdigit() and parts[5] != "1":
            focused = "focused" in parts[4].split(",")
            listed.append(Client(int(parts[0]), int(parts[1]), parts[2], parts[3], focused))
    return sorted(listed, key=lambda client: (client.focused, client.activity), reverse=True)


def chosen(listed: list[Client], session: str) -> Client | None:
    """A client that shows the session already; else the last used, which will be switched to it."""
    return next((client for client in listed if client.session == session), listed[0] if listed else None)


def steps(where: Whereabouts, client: Client | None = None, session: str = "") -> Steps:
    """If the pane no longer exists, the first step fails."""
    pane = _pane(where)
    plan = [
        [*_tmux(where), "select-window", "-t", pane],
        [*_tmux(where), "select-pane", "-t", pane],
    ]
    if client and client.session != session:
        plan.append([*_tmux(where), "switch-client", "-c", client.tty, "-t", pane])
    return plan


def attach(where: Whereabouts) -> str:
    """The command that shows it, for when no terminal does."""
    named = f" -S {shlex.quote(tidy(socket(where), LONGEST))}" if where.get("TMUX") else ""
    return f"tmux{named} attach -t '{_pane(where)}'"


def socket(where: Whereabouts) -> str:
    """$TMUX is a path, a pid and a number; the path itself may have commas."""
    return where.path("TMUX").rsplit(",", 2)[0]


def asks_seen(where: Whereabouts) -> Steps:
    """Whether the person sees it is known only if tmux gets focus events."""
    return [
        [*_tmux(where), "show-options", "-gv", "focus-events"],
        [*_tmux(where), "display-message", "-p", "-t", _pane(where), SEEN],
        [*_tmux(where), "list-clients", "-F", FORMAT],
    ]


def is_seen(answers: list[str]) -> bool:
    events, pane, listed = answers
    active, _, rest = pane.strip().partition(" ")
    window, _, rest = rest.partition(" ")
    session = rest.partition(" ")[0]
    focused = any(client.focused and client.session == session for client in clients(listed))
    return events.strip() == "on" and (active, window) == ("1", "1") and focused


def _tmux(where: Whereabouts) -> list[str]:
    """Without a socket, the default server."""
    if not where.get("TMUX"):
        return ["tmux"]
    if not socket(where):
        raise Cannot("its tmux socket is unknown")
    return ["tmux", "-S", socket(where)]


def _pane(where: Whereabouts) -> str:
    pane = where.get("TMUX_PANE")
    if not (pane.startswith("%") and pane[1:].isascii() and pane[1:].isdigit()):
        raise Cannot("its tmux pane is unknown")
    return pane
