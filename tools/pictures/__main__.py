"""Draws the pictures named, or all of them."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
import tempfile

PROJECT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Each picture in docs/, and who draws it.
PICTURES = {
    "film.gif": "film:draw",
    "tray.png": "tray:draw",
    "answer.png": "answer:draw",
    "terminal.png": "terminal:top",
    "status.png": "terminal:status",
    "line.png": "terminal:line",
    "menubar.png": "menubar:draw",
    "web.png": "web:wide",
    "phone.png": "web:narrow",
}
# What it takes, and the package of Debian that has it.
PROGRAMS = {
    "dbus-daemon": "dbus-daemon", "Xvfb": "xvfb", "xfce4-panel": "xfce4-panel", "xdotool": "xdotool",
    "import": "imagemagick", "convert": "imagemagick", "xterm": "xterm", "tmux": "tmux",
    "rsvg-convert": "librsvg2-bin", "fc-list": "fontconfig", "chromium": "chromium", "chromedriver": "chromium-driver",
}  # fmt: skip
FONTS = {"DejaVu Sans Mono": "fonts-dejavu-core", "Inter": "fonts-inter"}
QUANTISED = ["+dither", "-colors", "128", "-strip", "-define", "png:exclude-chunks=date,time"]


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in PICTURES]
    if unknown:
        print(f"There is no picture {', '.join(unknown)}. There are: {', '.join(PICTURES)}", file=sys.stderr)
        return 2
    if missing():
        print(f"NOTHING WAS DRAWN. Missing here: {', '.join(missing())}", file=sys.stderr)
        print("On Debian and Ubuntu this installs it all: sudo tools/desktop.sh", file=sys.stderr)
        return 1
    for name in names or PICTURES:
        print(draw(name))
    return 0


def draw(name: str) -> str:
    """Where it fails, the folder stays behind: it has the screen and what each program said."""
    module, _, maker = PICTURES[name].partition(":")
    make = getattr(importlib.import_module(f"tools.pictures.{module}"), maker)
    path = f"{PROJECT}/docs/{name}"
    folder = tempfile.mkdtemp(prefix="yourturn-picture-")
    raw = f"{folder}/raw{os.path.splitext(name)[1]}"
    make(folder, raw)
    if name.endswith(".png"):
        subprocess.run(["convert", raw, *QUANTISED, f"png8:{path}"], check=True)
    else:
        shutil.copyfile(raw, path)
    shutil.rmtree(folder, ignore_errors=True)
    return path


def missing() -> list[str]:
    programs = [name for name in PROGRAMS if not shutil.which(name)]
    return programs or [f"the font {name}" for name in FONTS if not _has_font(name)]


def _has_font(name: str) -> bool:
    return bool(subprocess.run(["fc-list", name], capture_output=True, check=True).stdout)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
