"""Any terminal with an X11 window: the window manager raises it."""

from __future__ import annotations

from statusbar.terminals.whereabouts import Cannot, Steps, Whereabouts

NAME = "X11"
LIMIT = "window raised; pick the tab yourself"


def is_home(where: Whereabouts) -> bool:
    return bool(where.get("WINDOWID") and where.get("DISPLAY")) and where.platform != "darwin"


def steps(where: Whereabouts) -> Steps:
    window, display = where.number("WINDOWID"), where.display()
    if not window or not display:
        raise Cannot("its window is unknown")
    on = ["env", f"DISPLAY={display}"]
    if where.first_tool("xdotool"):
        # With --sync it waits until the window is in front: a window manager may refuse without an error.
        return [[*on, "xdotool", "windowactivate", "--sync", window]]
    if where.first_tool("wmctrl"):
        return [[*on, "wmctrl", "-i", "-a", hex(int(window))]]
    raise Cannot("neither xdotool nor wmctrl is installed; install one of them")
