"""Terminal.app: finds the tab by its tty."""

from __future__ import annotations

from statusbar.system import osascript
from statusbar.terminals.whereabouts import Cannot, Steps, Whereabouts

NAME = "Terminal"
LIMIT = ""
SCRIPT = """
on run argv
  set wantedTty to item 2 of argv
  tell application id "com.apple.Terminal"
    repeat with aWindow in windows
      repeat with aTab in tabs of aWindow
        if tty of aTab is wantedTty then
          set selected of aTab to true
          set index of aWindow to 1
          activate
          return
        end if
      end repeat
    end repeat
  end tell
  error "Terminal has no such tab"
end run
"""


def is_home(where: Whereabouts) -> bool:
    return where.get("TERM_PROGRAM") == "Apple_Terminal"


def steps(where: Whereabouts) -> Steps:
    if not where.tty():
        raise Cannot("its Terminal tab is unknown")
    return [osascript.argv(SCRIPT, where.tty())]
