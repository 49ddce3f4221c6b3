"""What the person can do with a session from a menu. Programs are started with a list of arguments, never a shell."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from contract.clean import clean
from statusbar.menu import explain_window
from statusbar.model.rows import Action
from statusbar.text.width import tidy

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from contract.status import SessionStatus

PATIENCE_S = 5.0
LONGEST_ID = 200
IS_MAC = sys.platform == "darwin"
CLIPBOARDS = (
    ("WAYLAND_DISPLAY", ["wl-copy"]),
    ("DISPLAY", ["xclip", "-selection", "clipboard"]),
    ("DISPLAY", ["xsel", "--clipboard", "--input"]),
)
PACKAGES = {"xdg-open": "xdg-utils"}  # what to install for a program that is missing


def do(action: Action, session: SessionStatus, agent: str = "") -> str:
    """'' on success, else a sentence that says why it failed."""
    try:
        return FUNCTIONS[action](session, agent)
    except (OSError, subprocess.SubprocessError) as error:
        return f"Could not {action.value}: {tidy(str(error), 160)}"


def go(session: SessionStatus, _agent: str) -> str:
    from statusbar.terminals import go as focus  # noqa: PLC0415 - imports every terminal, and is seldom needed

    return focus.go(session)


def copy_id(session: SessionStatus, _agent: str) -> str:
    """Cleaned, because a line break that is pasted into a shell runs a command."""
    argv = clipboard()
    if argv is None:
        return "No clipboard program found; install wl-clipboard (Wayland) or xclip (X11)."
    words = clean(session.session_id, LONGEST_ID).encode()
    # The program keeps running to serve the clipboard: with a pipe of this process, the wait would not end.
    nothing = subprocess.DEVNULL
    subprocess.run(argv, input=words, stdout=nothing, stderr=nothing, timeout=PATIENCE_S, check=True)
    return ""


def open_project(session: SessionStatus, _agent: str) -> str:
    """Only a folder: a file or an address from outside could start any program."""
    folder = session.cwd
    if not (folder.startswith("/") and os.path.isdir(folder)):
        return f"The folder {tidy(folder, 80)} no longer exists."
    # On macOS a folder with an extension may be a program, and opening it would run it: it is shown instead.
    shown = ["-R"] if IS_MAC and os.path.splitext(folder.rstrip("/"))[1] else []
    return start([opener(), *shown, folder])


def show_transcript(session: SessionStatus, _agent: str) -> str:
    path = session.transcript
    folder = os.path.dirname(path)
    if not (folder.startswith("/") and os.path.isdir(folder)):
        return f"The folder {tidy(folder, 80)} no longer exists."
    return start(["open", "-R", path] if IS_MAC and os.path.exists(path) else [opener(), folder])


def explain(session: SessionStatus, agent: str) -> str:
    argv = None if IS_MAC else explain_window.terminal(os.environ)
    if argv:
        return start([*argv, *explain_window.explaining(session.session_id)])
    return start([opener(), *(["-t"] if IS_MAC else []), explain_window.written(session, agent, time.time())])


FUNCTIONS: dict[Action, Callable[[SessionStatus, str], str]] = {
    Action.GO: go,
    Action.EXPLAIN: explain,
    Action.COPY_ID: copy_id,
    Action.OPEN_PROJECT: open_project,
    Action.SHOW_TRANSCRIPT: show_transcript,
}


def clipboard() -> list[str] | None:
    if IS_MAC:
        return ["pbcopy"]
    return next((argv for name, argv in CLIPBOARDS if os.environ.get(name) and shutil.which(argv[0])), None)


def opener() -> str:
    return "open" if IS_MAC else "xdg-open"


_started: list[subprocess.Popen[bytes]] = []


def start(argv: Sequence[str]) -> str:
    """The program keeps running when this process ends. Earlier ones that have ended are reaped."""
    _started[:] = [process for process in _started if process.poll() is None]
    if shutil.which(argv[0]) is None:
        name = os.path.basename(argv[0])
        remedy = f"; install {PACKAGES[name]}" if name in PACKAGES else ""
        return f"{tidy(name, 40)} not found{remedy}"
    nothing = subprocess.DEVNULL
    _started.append(subprocess.Popen(argv, stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True))
    return ""
