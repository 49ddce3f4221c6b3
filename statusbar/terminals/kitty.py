"""kitty: over its remote control, which its owner has to allow."""

from __future__ import annotations

from statusbar.terminals import x11
from statusbar.terminals.whereabouts import Cannot, Steps, Whereabouts

NAME = "kitty"
LIMIT = ""


def is_home(where: Whereabouts) -> bool:
    """One that listens to nobody is a window like any other, where windows can be told."""
    return bool(where.get("KITTY_WINDOW_ID")) and (_listens(where) or not x11.is_home(where))


def steps(where: Whereabouts) -> Steps:
    window, socket = where.number("KITTY_WINDOW_ID"), where.get("KITTY_LISTEN_ON")
    if not _listens(where):
        raise Cannot(
            "kitty listens to nobody. Put these two lines into kitty.conf and start it anew: "
            "'allow_remote_control socket-only' and 'listen_on unix:/tmp/kitty-{kitty_pid}'"
        )
    if not window:
        raise Cannot("in which window of kitty it runs is not known")
    return [["kitty", "@", "--to", socket, "focus-window", "--match", f"id:{window}"]]


def _listens(where: Whereabouts) -> bool:
    return where.get("KITTY_LISTEN_ON").startswith(("unix:/", "unix:@"))
