"""Any terminal with a window of X11: the window manager is asked."""

from __future__ import annotations

from statusbar.terminals.whereabouts import Cannot, Steps, Whereabouts

NAME = "X11"
LIMIT = "if it has tabs, which one is left to you"


def is_home(where: Whereabouts) -> bool:
    return bool(where.get("WINDOWID") and where.get("DISPLAY")) and where.platform != "darwin"


def steps(where: Whereabouts) -> Steps:
    window, display = where.number("WINDOWID"), where.display()
    if not window or not display:
        raise Cannot("which window it is, is not known")
    on = ["env", f"DISPLAY={display}"]
    if where.first_tool("xdotool"):
        # It waits until the window is in front: a window manager may refuse, and says nothing then.
        return [[*on, "xdotool", "windowactivate", "--sync", window]]
    if where.first_tool("wmctrl"):
        return [[*on, "wmctrl", "-i", "-a", hex(int(window))]]
    raise Cannot("neither xdotool nor wmctrl is installed; either will do")
