"""Keeps tests out of the home of the person who runs them."""

from __future__ import annotations

import os
import pwd
from typing import Any

REAL_HOME = pwd.getpwuid(os.getuid()).pw_dir
FORBIDDEN = tuple(
    f"{REAL_HOME}/{name}"
    for name in (
        ".claude", ".claude.json", ".local/state/yourturn", ".config/yourturn", ".config/systemd",
        ".config/autostart",
        "Library/Application Support/yourturn", "Library/LaunchAgents",
    )
)  # fmt: skip
WATCHED = (
    "open",
    "os.mkdir",
    "os.rename",
    "os.remove",
    "os.rmdir",
    "os.listdir",
    "os.scandir",
    "os.chmod",
    "os.symlink",
)


class ReachedHomeError(AssertionError):
    """A test touched a file of the person who runs it."""


def refuse(event: str, args: tuple[Any, ...]) -> None:
    if event not in WATCHED:
        return
    for arg in args[:2]:
        path = os.fsdecode(arg) if isinstance(arg, str | bytes) else ""
        if path.startswith(FORBIDDEN):
            raise ReachedHomeError(f"{event} {path}")
