"""Runs `yourturn` in a real process with an environment built from nothing."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from support import warm
from support.project import PROJECT
from support.showing import environ

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

YOURTURN = [sys.executable, "-m", "yourturn"]


def yourturn(home: Path, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
    return warm.run([*YOURTURN, *words], environ(home, **env), str(PROJECT))
