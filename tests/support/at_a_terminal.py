"""A command of the installer as a person runs it at a terminal."""

from __future__ import annotations

import os
import pty
import subprocess
from typing import TYPE_CHECKING

from support.patience import PATIENCE_S

if TYPE_CHECKING:
    from support.installing import Person


def at_a_terminal(person: Person, answer: bytes, *words: str, **environ: str) -> tuple[int, str]:
    """The exit code and the screen after a person typed the answer."""
    ours, theirs = pty.openpty()
    os.write(ours, answer)
    env = person.environ | {"TERM": "xterm"} | environ
    child = subprocess.Popen(person.argv(*words), stdin=theirs, stdout=theirs, stderr=theirs, env=env)
    os.close(theirs)
    screen = b""
    while chunk := _read(ours):
        screen += chunk
    os.close(ours)
    return child.wait(timeout=PATIENCE_S), screen.decode()


def _read(fd: int) -> bytes:
    try:
        return os.read(fd, 65536)
    except OSError:  # Linux says EIO when the other end is closed
        return b""
