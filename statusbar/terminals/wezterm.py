"""WezTerm: over its command line, which finds the right process by its socket."""

from __future__ import annotations

from statusbar.terminals.whereabouts import Cannot, Steps, Whereabouts

NAME = "WezTerm"
LIMIT = "its window may still be behind others"


def is_home(where: Whereabouts) -> bool:
    return bool(where.get("WEZTERM_PANE"))


def steps(where: Whereabouts) -> Steps:
    pane, socket = where.number("WEZTERM_PANE"), where.path("WEZTERM_UNIX_SOCKET")
    if not pane:
        raise Cannot("its WezTerm pane is unknown")
    which = ["env", f"WEZTERM_UNIX_SOCKET={socket}"] if socket else []
    plan = [[*which, "wezterm", "cli", "activate-pane", "--pane-id", pane]]
    return [*plan, ["open", "-b", "com.github.wez.wezterm"]] if where.platform == "darwin" else plan
