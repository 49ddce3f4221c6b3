"""`yourturn explain` in a window: in a terminal that stays open until Enter is pressed, else in a text file."""

from __future__ import annotations

import atexit
import functools
import os
import shlex
import shutil
import sys
import tempfile
from typing import TYPE_CHECKING

from contract import launch, paths
from statusbar.cli.explain import session_lines
from statusbar.cli.pieces import Piece
from statusbar.model import reader
from statusbar.text.symbols import TROUBLE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from contract.status import SessionStatus
    from statusbar.cli.pieces import Line

STAYS_OPEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "stay_open.py")
TERMINALS = (
    ["x-terminal-emulator", "-e"],
    ["xdg-terminal-exec"],
    ["gnome-terminal", "--"],
    ["kgx", "--"],
    ["konsole", "-e"],
    ["xfce4-terminal", "-x"],
    ["kitty"],
    ["alacritty", "-e"],
    ["wezterm", "start", "--"],
    ["foot"],
    ["xterm", "-e"],
)


def terminal(environ: Mapping[str, str]) -> list[str] | None:
    """The command that runs a program in the person's terminal; None if there is no terminal."""
    chosen = _words(environ.get("TERMINAL", ""))
    known = next((argv for argv in TERMINALS if chosen and argv[0] == os.path.basename(chosen[0])), None)
    wanted = [[*chosen, *known[1:]]] if known else []
    return next((argv for argv in (*wanted, *TERMINALS) if shutil.which(argv[0])), None)


def _words(text: str) -> list[str]:
    """[] for a text whose quotes do not close."""
    try:
        return shlex.split(text)
    except ValueError:
        return []


def explaining(session_id: str) -> list[str]:
    """By path, because a terminal may start it in any folder; -P, so that it finds none of its neighbours by name."""
    return [sys.executable, "-P", STAYS_OPEN, launch.FRONT_DOOR, "explain", "--", session_id]


def written(session: SessionStatus, agent: str, now: float) -> str:
    """Write the text of `yourturn explain` to a file and return its path; it is removed when this process ends."""
    path = f"{_folder()}/yourturn-explain.txt"
    with open(path, "w", encoding="utf-8") as file:
        file.writelines("".join(piece.text for piece in line) + "\n" for line in _lines(session, agent, now))
    return path


def _lines(session: SessionStatus, agent: str, now: float) -> Iterator[Line]:
    """If the states are out of date, the first lines say so."""
    statuses = reader.read(paths.home(), hosts=True)
    for words in statuses.notices(now):
        yield (Piece(f"{TROUBLE.symbol} {words}"),)
    yield from session_lines(session, now, agent, is_old=statuses.is_old(session, now))


@functools.cache
def _folder() -> str:
    """Only the person can read it."""
    folder = tempfile.mkdtemp(prefix="yourturn-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def clear() -> None:
    """For front ends that end without running Python's atexit handlers."""
    if _folder.cache_info().currsize:
        shutil.rmtree(_folder(), ignore_errors=True)
        _folder.cache_clear()
