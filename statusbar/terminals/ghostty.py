"""Ghostty: on macOS, from 1.3 on, its terminals are found by their folders; elsewhere its window is raised."""

from __future__ import annotations

from statusbar.system import osascript
from statusbar.terminals import x11
from statusbar.terminals.whereabouts import Cannot, Steps, Whereabouts

NAME = "Ghostty"
LIMIT = "if several of its terminals are in this folder, pick the right one yourself"
SCRIPT = """
on run argv
  tell application id "com.mitchellh.ghostty"
    set found to every terminal whose working directory is (item 2 of argv)
    if (count of found) is 1 then focus (item 1 of found)
  end tell
end run
"""


def is_home(where: Whereabouts) -> bool:
    return bool(where.get("GHOSTTY_RESOURCES_DIR")) or where.get("TERM_PROGRAM").lower() == "ghostty"


def steps(where: Whereabouts) -> Steps:
    if where.platform == "darwin":
        plan = [["open", "-b", "com.mitchellh.ghostty"]]
        return [*plan, osascript.argv(SCRIPT, where.cwd)] if where.cwd else plan
    if x11.is_home(where):
        return x11.steps(where)
    raise Cannot("on this desktop, other programs cannot bring Ghostty to the front")
