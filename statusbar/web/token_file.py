"""The token of the page in a file of the person's own, for a link that stays the same."""

from __future__ import annotations

import os
import re

from statusbar.system import secret_file
from statusbar.system.secret_file import Unfit
from statusbar.web.access import new_token

SHAPE = re.compile(r"[A-Za-z0-9_-]{22,200}", re.ASCII)


def token(path: str) -> str:
    """The one in the file; a new one, if there is no file. Raises Unfit and OSError."""
    try:
        text = secret_file.read(path)
    except FileNotFoundError:
        return _new(path)
    if not SHAPE.fullmatch(text):
        raise Unfit(f"{path} holds no token: 22 to 200 letters, digits, - and _. Remove it, and a new one is made")
    return text


def _new(path: str) -> str:
    """Never into a file that somebody else has made meanwhile."""
    made = new_token()
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with os.fdopen(fd, "w", encoding="ascii") as file:
        file.write(made + "\n")
    return made
