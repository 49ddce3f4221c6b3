"""A short film: the demo in a panel and in a terminal below it, and at the end the menu of the icon."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

from statusbar.demo.fake_watcher import FakeWatcher
from statusbar.demo.scenario import sessions
from statusbar.text.symbols import COLOURS
from tools.pictures.desktop import DESK, PROJECT, TRAY, Desktop
from tools.pictures.terminal import GREEN, TRIANGLE, shell_env, xterm

SIZE = (860, 500)
GEOMETRY = "84x21+6+40"
SHOWN_CS = 65  # hundredths of a second that each picture is shown
AT_THE_END_CS = 260
# Seconds of the demo. At the last of them two agents ask.
MOMENTS = (0.0, 4.0, 8.0, 12.0, 15.0, 22.0, 26.0, 30.0, 35.0, 46.0, 49.0, 52.0)
COLOURFUL = 48


def draw(folder: str, path: str) -> None:
    desk = Path(folder)
    with FakeWatcher() as watcher, Desktop(desk, Path(watcher.home), SIZE) as desktop:
        desktop.env |= shell_env()
        desktop.start("display", "-window", "root", f"xc:{DESK}").wait()
        _show(watcher, 0.0)
        desktop.start(*TRAY, PYTHONPATH=PROJECT)
        xterm(desktop, GEOMETRY, folder)
        desktop.do("type", "yourturn top\n")
        desktop.until_drawn(GREEN, TRIANGLE)
        pictures = [_picture(desktop, desk, watcher, number, t) for number, t in enumerate(MOMENTS)]
        pictures.append(_menu(desktop, desk))
    _join(pictures, path)


def _show(watcher: FakeWatcher, t: float) -> None:
    now = time.time()
    watcher.write(sessions(t, now - t), now)


def _picture(desktop: Desktop, desk: Path, watcher: FakeWatcher, number: int, t: float) -> str:
    _show(watcher, t)
    desktop.until_still()
    path = str(desk / f"{number:02}.png")
    desktop.picture(path)
    return path


def _menu(desktop: Desktop, desk: Path) -> str:
    x, y = desktop.find(COLOURS["red"])
    desktop.opens("mousemove", str(x), str(y), "click", "1")
    desktop.opens("key", "Down")
    path = str(desk / "menu.png")
    desktop.picture(path)
    return path


def _join(pictures: list[str], path: str) -> None:
    """Each picture after the first holds only what changed."""
    *first, last = pictures
    shown = ["-delay", str(SHOWN_CS), *first, "-delay", str(AT_THE_END_CS), last]
    small = ["+dither", "-colors", str(COLOURFUL), "-layers", "OptimizeTransparency", "-strip"]
    subprocess.run(["convert", "-loop", "0", *shown, *small, path], check=True)
