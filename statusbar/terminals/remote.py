"""Goes to an agent on another machine: opens a window with its tmux there, or says why that cannot be."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

from contract import hosts, paths
from statusbar.terminals import new_window, other_machine
from statusbar.terminals.whereabouts import Cannot
from statusbar.text.width import tidy

if TYPE_CHECKING:
    from contract.status import SessionStatus
    from statusbar.terminals.new_window import Window

AT_ONCE_S = 0.7  # a terminal that cannot open a window says so by then
TITLE = 24


def go_to(session: SessionStatus, *, at_terminal: bool) -> str:
    """Where it is shown now. Raises Cannot.

    `at_terminal`: a person typed the command, so their own terminal is used if there is no desktop.
    """
    argv = _argv(session)
    if at_terminal and not _opens_windows():
        take_over(argv)
    window = new_window.window(argv, tidy(session.host, TITLE), os.environ, sys.platform, shutil.which)
    start(window)
    return f"a new window of {window.name}"


def in_this_terminal(session: SessionStatus) -> list[str]:
    """The command that shows it in the terminal of a live view, where no window can be opened; [] to go another way."""
    if not session.host or _opens_windows():
        return []
    try:
        return _argv(session)
    except Cannot:
        return []


def _argv(session: SessionStatus) -> list[str]:
    return other_machine.argv(session, hosts.read(paths.host_dir(paths.home(), session.host)))


def _opens_windows() -> bool:
    return sys.platform == "darwin" or new_window.has_desktop(os.environ) or bool(os.environ.get("TMUX"))


def take_over(argv: list[str]) -> None:
    """Run it in this terminal, instead of us."""
    try:
        os.execvp(argv[0], argv)  # noqa: S606 - no shell
    except OSError as error:
        raise Cannot(f"{argv[0]}: {error.strerror}") from None


def start(window: Window) -> None:
    """It goes on without us, unless it fails at once."""
    nothing = subprocess.DEVNULL
    try:
        process = subprocess.Popen(
            window.argv, stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True, cwd="/"
        )
        code = process.wait(AT_ONCE_S)
    except OSError as error:
        raise Cannot(f"{window.name}: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        # Else it would stay in the process table of a front end that keeps running.
        threading.Thread(target=process.wait, daemon=True).start()
        return
    if code:
        raise Cannot(f"{window.name} ended with exit code {code}")


def is_at_terminal() -> bool:
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))
