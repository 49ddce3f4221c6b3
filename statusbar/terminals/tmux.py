"""tmux: the pane is chosen from anywhere, over the server's socket; then the terminal around it is somebody else's."""

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
    """The client's registry names the pane alone."""
    return bool(where.get("TMUX") or where.get("TMUX_PANE"))


def asks(where: Whereabouts) -> Steps:
    """What must be known first: who shows which session, and in which session the pane is."""
    return [
        [*_tmux(where), "list-clients", "-F", FORMAT],
        [*_tmux(where), "display-message", "-p", "-t", _pane(where), "#{session_id}"],
    ]


def clients(said: str) -> list[Client]:
    """From what `list-clients` says, the one used last first. Those of control mode are no terminals."""
    found = []
    for line in said.splitlines():
        parts = line.split("\t")
        if len(parts) == len(FIELDS) and parts[0].isdigit() and parts[1].isdigit() and parts[5] != "1":
            focused = "focused" in parts[4].split(",")
            found.append(Client(int(parts[0]), int(parts[1]), parts[2], parts[3], focused))
    return sorted(found, key=lambda one: (one.focused, one.activity), reverse=True)


def chosen(there: list[Client], session: str) -> Client | None:
    """A client that shows the session already; else the one used last, which is taken there."""
    return next((one for one in there if one.session == session), there[0] if there else None)


def steps(where: Whereabouts, client: Client | None = None, session: str = "") -> Steps:
    """The server does nothing by halves: a pane that is gone fails at the first step."""
    pane = _pane(where)
    plan = [
        [*_tmux(where), "select-window", "-t", pane],
        [*_tmux(where), "select-pane", "-t", pane],
    ]
    if client and client.session != session:
        plan.append([*_tmux(where), "switch-client", "-c", client.tty, "-t", pane])
    return plan


def attach(where: Whereabouts) -> str:
    """What a person types to see it, when no terminal does."""
    named = f" -S {shlex.quote(tidy(socket(where), LONGEST))}" if where.get("TMUX") else ""
    return f"tmux{named} attach -t '{_pane(where)}'"


def socket(where: Whereabouts) -> str:
    """$TMUX is a path, a pid and a number; the path itself may have commas."""
    return where.path("TMUX").rsplit(",", 2)[0]


def asks_seen(where: Whereabouts) -> Steps:
    """Whether somebody looks at it can be known only where tmux is told of focus."""
    return [
        [*_tmux(where), "show-options", "-gv", "focus-events"],
        [*_tmux(where), "display-message", "-p", "-t", _pane(where), SEEN],
        [*_tmux(where), "list-clients", "-F", FORMAT],
    ]


def is_seen(said: list[str]) -> bool:
    events, pane, listed = said
    active, _, rest = pane.strip().partition(" ")
    window, _, rest = rest.partition(" ")
    session = rest.partition(" ")[0]
    focused = any(one.focused and one.session == session for one in clients(listed))
    return events.strip() == "on" and (active, window) == ("1", "1") and focused


def _tmux(where: Whereabouts) -> list[str]:
    """Where no server is named, the one that a person gets who types `tmux`."""
    if not where.get("TMUX"):
        return ["tmux"]
    if not socket(where):
        raise Cannot("where tmux has its socket is not known")
    return ["tmux", "-S", socket(where)]


def _pane(where: Whereabouts) -> str:
    pane = where.get("TMUX_PANE")
    if not (pane.startswith("%") and pane[1:].isascii() and pane[1:].isdigit()):
        raise Cannot("in which pane of tmux it runs is not known")
    return pane
