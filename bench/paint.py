"""Red, where the terminal and its owner want colours."""

from __future__ import annotations

import os
import sys


def red(line: str) -> str:
    return f"\x1b[31m{line}\x1b[0m" if colours() else line


def colours() -> bool:
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not plain
