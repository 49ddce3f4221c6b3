"""Where a benchmark lives: a folder of its own, and an environment built from nothing."""

from __future__ import annotations

import os
import sys
import tempfile
from typing import NamedTuple

PROJECT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OURS = [sys.executable, "-E", f"{PROJECT}/yourturn.py"]


class Place(NamedTuple):
    """The home of a person who is not there."""

    path: str

    @property
    def state(self) -> str:
        return f"{self.path}/state"

    @property
    def config(self) -> str:
        return f"{self.path}/.claude"

    def environment(self, **more: str) -> dict[str, str]:
        plain = {"HOME": self.path, "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "TMPDIR": self.path}
        return {**plain, "YOURTURN_HOME": self.state, "CLAUDE_CONFIG_DIR": self.config, **more}


def folder() -> tempfile.TemporaryDirectory[str]:
    """Gone at the end, with all that is in it. Without links in its path, because paths are compared."""
    parent = os.path.realpath(tempfile.gettempdir())
    return tempfile.TemporaryDirectory(prefix="yourturn-bench-", dir=parent, ignore_cleanup_errors=True)
