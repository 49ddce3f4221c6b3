"""A file of the person's own with a secret in it: read only if nobody else can read it."""

from __future__ import annotations

import os
import stat

from contract import store

OTHERS = 0o077
LARGEST = 4096


class Unfit(Exception):  # noqa: N818 - an expected outcome
    """Why this file cannot be used, with the remedy. It names the file, and nothing that is in it."""


def read(path: str) -> str:
    """Its text, without blanks around it. Raises Unfit, and OSError as where there is no such file."""
    _check(path, os.lstat(path))
    data = store.read(path) or b""
    if len(data) > LARGEST:
        raise Unfit(f"{path} is too long for a token")
    return data.decode("ascii", "replace").strip()


def _check(path: str, found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise Unfit(f"{path} is not a plain file")
    if found.st_uid != os.geteuid():
        raise Unfit(f"{path} belongs to another user")
    if found.st_mode & OTHERS:
        raise Unfit(f"others can read {path}; to close it: chmod 600 {path}")
