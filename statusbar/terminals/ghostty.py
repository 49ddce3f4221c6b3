"""Ghostty: it can be brought to the front, but nobody outside can choose a tab."""

from __future__ import annotations

from statusbar.terminals import x11
from statusbar.terminals.whereabouts import Cannot, Steps, Whereabouts

NAME = "Ghostty"
LIMIT = "Ghostty lets nobody choose the tab"


def is_home(where: Whereabouts) -> bool:
    return bool(where.get("GHOSTTY_RESOURCES_DIR")) or where.get("TERM_PROGRAM").lower() == "ghostty"


def steps(where: Whereabouts) -> Steps:
    if where.platform == "darwin":
        return [["open", "-b", "com.mitchellh.ghostty"]]
    if x11.is_home(where):
        return x11.steps(where)
    raise Cannot("Ghostty cannot be brought to the front from outside on this desktop")
