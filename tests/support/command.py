"""Runs `yourturn` in a real process with an environment built from nothing."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from support.project import PROJECT
from support.showing import environ

if TYPE_CHECKING:
    from pathlib import Path

YOURTURN = [sys.executable, "-m", "yourturn"]


def yourturn(home: Path, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*YOURTURN, *words], capture_output=True, text=True, env=environ(home, **env), cwd=PROJECT, check=False
    )
