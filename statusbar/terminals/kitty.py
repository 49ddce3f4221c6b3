"""kitty: over its remote control, which its owner has to allow."""

from __future__ import annotations

from statusbar.terminals.whereabouts import Cannot, Steps, Whereabouts

NAME = "kitty"
LIMIT = ""


def is_home(where: Whereabouts) -> bool:
    return bool(where.get("KITTY_WINDOW_ID"))


def steps(where: Whereabouts) -> Steps:
    window, socket = where.number("KITTY_WINDOW_ID"), where.get("KITTY_LISTEN_ON")
    if not socket.startswith("unix:"):
        raise Cannot(
            "kitty listens to nobody. Put these two lines into kitty.conf and start it anew: "
            "'allow_remote_control socket-only' and 'listen_on unix:/tmp/kitty-{kitty_pid}'"
        )
    if not window:
        raise Cannot("in which window of kitty it runs is not known")
    return [["kitty", "@", "--to", socket, "focus-window", "--match", f"id:{window}"]]
