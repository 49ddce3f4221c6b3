"""iTerm2: finds the session by its id, or by its tty."""

from __future__ import annotations

from statusbar.system import osascript
from statusbar.terminals.whereabouts import Cannot, Steps, Whereabouts

NAME = "iTerm2"
LIMIT = ""
DIGITS = frozenset("0123456789abcdefABCDEF-")
SCRIPT = """
on run argv
  set {wantedId, wantedTty} to {item 2 of argv, item 3 of argv}
  tell application id "com.googlecode.iterm2"
    repeat with aWindow in windows
      repeat with aTab in tabs of aWindow
        repeat with aSession in sessions of aTab
          if (unique id of aSession is wantedId) or (tty of aSession is wantedTty) then
            select aWindow
            tell aTab to select
            tell aSession to select
            activate
            return
          end if
        end repeat
      end repeat
    end repeat
  end tell
  error "iTerm2 has no such session"
end run
"""


def is_home(where: Whereabouts) -> bool:
    return bool(where.get("ITERM_SESSION_ID")) or where.get("TERM_PROGRAM") == "iTerm.app"


def steps(where: Whereabouts) -> Steps:
    """Before the id come the numbers of window and tab, which change when tabs are moved."""
    unique, tty = where.get("ITERM_SESSION_ID").rpartition(":")[2], where.tty()
    unique = unique if DIGITS.issuperset(unique) else ""
    if not unique and not tty:
        raise Cannot("its iTerm2 session is unknown")
    return [osascript.argv(SCRIPT, unique or "?", tty or "?")]
