"""The tray in a real panel of Xfce, its menu open."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from statusbar.text.symbols import COLOURS
from tools.pictures import story

PROJECT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.append(f"{PROJECT}/tests")

from support.xfce import PANEL, Desktop  # noqa: E402 - found by now

TRAY = [sys.executable, "-c", "import sys; from statusbar.tray import tray; sys.exit(tray.run(None))"]
SIZE = (1200, 700)
DESK = "#3d5a6c"
MARGIN = 30


def draw(folder: str, path: str) -> None:
    desk = Path(folder)
    with story.told() as home, Desktop(desk, Path(home), SIZE) as desktop:
        desktop.start("display", "-window", "root", f"xc:{DESK}").wait()
        desktop.start(*TRAY, PYTHONPATH=PROJECT)
        x, y = desktop.find(COLOURS["red"])
        desktop.opens("mousemove", str(x), str(y), "click", "1")
        for key in ("Down", "Down", "Right"):
            desktop.opens("key", key)
        desktop.picture(path)
        _crop(path, desktop.pixels())


def _crop(path: str, pixels: bytes) -> None:
    """To what the open menu takes of the screen."""
    wide, desk = SIZE[0] * 3, bytes.fromhex(DESK[1:])
    rows = [pixels[k : k + wide] for k in range((PANEL + 1) * wide, len(pixels), wide)]
    used = [row for row in rows if row != desk * SIZE[0]]
    left = max(min((wide - len(row.lstrip(desk))) // 3 for row in used) - MARGIN, 0)
    size = f"{SIZE[0] - left}x{PANEL + 1 + len(used) + MARGIN}+{left}+0"
    subprocess.run(["convert", path, "-crop", size, "+repage", path], check=True)
