"""iTerm2: by the session's own id, or by its tty."""

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
  error "no session of iTerm2 is the one"
end run
"""


def is_home(where: Whereabouts) -> bool:
    return bool(where.get("ITERM_SESSION_ID")) or where.get("TERM_PROGRAM") == "iTerm.app"


def steps(where: Whereabouts) -> Steps:
    """The id has the window's and tab's numbers before it, which change when tabs are moved."""
    unique, tty = where.get("ITERM_SESSION_ID").rpartition(":")[2], where.tty()
    unique = unique if DIGITS.issuperset(unique) else ""
    if not unique and not tty:
        raise Cannot("which session of iTerm2 it is, is not known")
    return [osascript.argv(SCRIPT, unique or "?", tty or "?")]
