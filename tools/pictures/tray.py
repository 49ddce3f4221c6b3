"""The tray in a real panel of Xfce, its menu open."""

from __future__ import annotations

import subprocess
from pathlib import Path

from statusbar.text.symbols import COLOURS
from tools.pictures import story
from tools.pictures.desktop import DESK, PANEL, PROJECT, TRAY, Desktop

SIZE = (1200, 700)
MARGIN = 30


def draw(folder: str, path: str) -> None:
    with story.told() as home:
        open_menu(folder, home, path)


def open_menu(folder: str, home: str, path: str) -> None:
    """A picture of the menu, open at the first session."""
    with Desktop(Path(folder), Path(home), SIZE) as desktop:
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
