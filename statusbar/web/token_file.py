"""The token of the page in a file of the person's own, for a link that stays the same."""

from __future__ import annotations

import os
import re
import stat

from contract import store
from statusbar.web.door import new_token

SHAPE = re.compile(r"[A-Za-z0-9_-]{22,200}", re.ASCII)
OTHERS = 0o077


class Unfit(Exception):  # noqa: N818 - an expected outcome
    """Why this file cannot be used, with the remedy."""


def token(path: str) -> str:
    """The one in the file; a new one, if there is no file. Raises Unfit and OSError."""
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return _new(path)
    _check(path, found)
    text = (store.read(path) or b"").decode("ascii", "replace").strip()
    if not SHAPE.fullmatch(text):
        raise Unfit(f"{path} holds no token: 22 to 200 letters, digits, - and _. Remove it, and a new one is made")
    return text


def _check(path: str, found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise Unfit(f"{path} is not a plain file")
    if found.st_uid != os.geteuid():
        raise Unfit(f"{path} belongs to another user")
    if found.st_mode & OTHERS:
        raise Unfit(f"others can read {path}, and so could look at your agents: chmod 600 {path}")


def _new(path: str) -> str:
    """Never into a file that somebody else has made meanwhile."""
    made = new_token()
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with os.fdopen(fd, "w", encoding="ascii") as file:
        file.write(made + "\n")
    return made
