"""The desktop that the tests have too, and what runs on it in pictures."""

from __future__ import annotations

import os
import sys

PROJECT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.append(f"{PROJECT}/tests")

from support.xfce import PANEL, Desktop  # noqa: E402 - found by now

__all__ = ["DESK", "PANEL", "PROJECT", "TRAY", "Desktop"]

TRAY = [sys.executable, "-c", "import sys; from statusbar.tray import tray; sys.exit(tray.run(None))"]
DESK = "#3d5a6c"
