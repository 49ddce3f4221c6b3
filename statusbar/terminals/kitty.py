"""kitty: over its remote control, which the person has to turn on."""

from __future__ import annotations

from statusbar.terminals import x11
from statusbar.terminals.whereabouts import Cannot, Steps, Whereabouts

NAME = "kitty"
LIMIT = ""


def is_home(where: Whereabouts) -> bool:
    """Without remote control, its X11 window is raised instead, where there is one."""
    return bool(where.get("KITTY_WINDOW_ID")) and (_listens(where) or not x11.is_home(where))


def steps(where: Whereabouts) -> Steps:
    window, socket = where.number("KITTY_WINDOW_ID"), where.get("KITTY_LISTEN_ON")
    if not _listens(where):
        raise Cannot(
            "kitty's remote control is off. Add these two lines to kitty.conf and restart kitty: "
            "'allow_remote_control socket-only' and 'listen_on unix:/tmp/kitty-{kitty_pid}'"
        )
    if not window:
        raise Cannot("its kitty window is unknown")
    return [["kitty", "@", "--to", socket, "focus-window", "--match", f"id:{window}"]]


def _listens(where: Whereabouts) -> bool:
    return where.get("KITTY_LISTEN_ON").startswith(("unix:/", "unix:@"))
