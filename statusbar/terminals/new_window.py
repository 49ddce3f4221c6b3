"""A new terminal window in which a command runs: which program opens one here, and how it is told the command. Pure."""

from __future__ import annotations

import os.path
import shlex
from typing import TYPE_CHECKING, NamedTuple

from statusbar.system import osascript
from statusbar.terminals.whereabouts import Cannot

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

# The words between a terminal and the command that is to run in it. All others take -e, as xterm does.
BEFORE = {
    "gnome-terminal": ["--"], "ptyxis": ["--"], "kgx": ["--"], "wezterm": ["start", "--"], "xfce4-terminal": ["-x"],
    "mate-terminal": ["-x"], "kitty": [], "foot": [],
}  # fmt: skip
# Debian's choice first, then those of the desktops, then the others.
KNOWN = (
    "x-terminal-emulator", "gnome-terminal", "ptyxis", "kgx", "konsole", "xfce4-terminal", "mate-terminal", "kitty",
    "ghostty", "wezterm", "alacritty", "foot", "xterm",
)  # fmt: skip
# The command comes as arguments of their own. A window that closes at once would take the reason with it.
STAY = '"$@" || { printf "Press Enter to close this window. "; read -r _; }'
TERMINAL_APP = """
on run argv
  tell application id "com.apple.Terminal"
    do script (item 2 of argv)
    activate
  end tell
end run
"""
ITERM2 = """
on run argv
  tell application id "com.googlecode.iterm2"
    create window with default profile command (item 2 of argv)
    activate
  end tell
end run
"""


class Window(NamedTuple):
    name: str  # of the program
    argv: list[str]


def window(
    command: Sequence[str], title: str, env: Mapping[str, str], platform: str, which: Callable[[str], str | None]
) -> Window:
    """`title`: plain words. Raises Cannot."""
    staying = ["sh", "-c", STAY, "sh", *command]
    if env.get("TMUX") and which("tmux"):
        return Window("tmux", ["tmux", "new-window", "-n", title, *staying])
    if platform == "darwin":
        return _on_macos(staying, env)
    if not has_desktop(env):
        raise Cannot(f"there is no desktop here to open a window on. In a terminal: {shlex.join(command)}")
    chosen = env.get("TERMINAL", "")
    for program in (chosen, *KNOWN):
        if program and which(program):
            name = os.path.basename(program)
            return Window(name, [program, *BEFORE.get(name, ["-e"]), *staying])
    raise Cannot(f"no terminal program was found; TERMINAL can name one. In a terminal: {shlex.join(command)}")


def has_desktop(env: Mapping[str, str]) -> bool:
    return bool(env.get("DISPLAY") or env.get("WAYLAND_DISPLAY"))


def _on_macos(command: Sequence[str], env: Mapping[str, str]) -> Window:
    """Both take one line for a shell: each word is quoted, and the line is an argument of the script."""
    is_iterm2 = env.get("TERM_PROGRAM") == "iTerm.app"
    script, name = (ITERM2, "iTerm2") if is_iterm2 else (TERMINAL_APP, "Terminal")
    return Window(name, osascript.argv(script, shlex.join(command)))
