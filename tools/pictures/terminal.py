"""A real terminal, in which somebody types: `yourturn top`, `yourturn status`, and a status line of tmux."""

from __future__ import annotations

import contextlib
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from statusbar.cli import line_hosts
from tools.pictures import story
from tools.pictures.screen import Screen

if TYPE_CHECKING:
    from collections.abc import Iterator

SIZE = (1200, 700)
RED, GREEN, BLACK = (0xF0, 0x61, 0x6A), (0x4C, 0xC3, 0x8A), (0x0B, 0x0C, 0x0F)
LOOK = {
    "faceName": "DejaVu Sans Mono", "faceSize": "12", "internalBorder": "12", "borderWidth": "0",
    "background": "#16181d", "foreground": "#d7dae0", "cursorColor": "#d7dae0",
    "color0": "#0b0c0f", "color1": "#f0616a", "color2": "#4cc38a", "color3": "#e2b340", "color6": "#62b6f0",
    "color9": "#f0616a", "boldMode": "false", "scrollBar": "false", "cursorBlink": "false",
}  # fmt: skip
SHELL = "/bin/sh"
TRIANGLE, REVERSED = 4, 14  # pixels in a row: of a triangle's foot, of two cells in reverse
TMUX = ["tmux", "-L", "pictures"]


def top(folder: str, path: str) -> None:
    _typed("yourturn top", "80x21", folder, path)


def status(folder: str, path: str) -> None:
    _typed("yourturn status", "80x21", folder, path)


def line(folder: str, path: str) -> None:
    """The configuration is what `yourturn line --help` says."""
    config = Path(folder) / "tmux.conf"
    config.write_text(line_hosts.SETUP["tmux"])
    try:
        with terminal(folder, "80x3", *TMUX, "-f", str(config), "new-session", SHELL) as screen:
            screen.until_drawn(BLACK, REVERSED)
            screen.picture(path, _window(screen))
    finally:
        # A server of tmux outlives its terminal.
        env = {**os.environ, "TMUX_TMPDIR": folder}
        subprocess.run([*TMUX, "kill-server"], env=env, check=False, capture_output=True)


@contextlib.contextmanager
def terminal(folder: str, geometry: str, *command: str) -> Iterator[Screen]:
    """With a shell in it, unless told otherwise; everything that could tell of this machine is left behind."""
    with story.told() as home, Screen(Path(folder), _environ(folder, home), SIZE) as screen:
        xterm(screen, f"{geometry}+0+0", folder, *command)
        yield screen


def xterm(screen: Screen, geometry: str, folder: str, *command: str) -> None:
    """Ready to be typed into."""
    looks = [word for name, value in LOOK.items() for word in ("-xrm", f"XTerm*{name}: {value}")]
    run = shlex.join(command or [SHELL])
    screen.start("xterm", "-geometry", geometry, *looks, "-e", "sh", "-c", f"cd {folder} && exec {run}")
    screen.do("windowfocus", "--sync", _window(screen))
    screen.until_still()


def _environ(folder: str, home: str) -> dict[str, str]:
    return {**shell_env(), "HOME": folder, "YOURTURN_HOME": home, "TMUX_TMPDIR": folder}


def shell_env() -> dict[str, str]:
    """What a shell on the screen needs to find our command and to say nothing of this machine."""
    path = f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}"
    return {"PATH": path, "LANG": "C.UTF-8", "PS1": "$ ", "SHELL": SHELL}


def _window(screen: Screen) -> str:
    return screen.do("search", "--sync", "--onlyvisible", "--class", "xterm").split()[0]


def _typed(words: str, geometry: str, folder: str, path: str) -> None:
    with terminal(folder, geometry) as screen:
        screen.do("type", words + "\n")
        screen.until_drawn(RED, TRIANGLE)
        screen.picture(path, _window(screen))
