"""The SVG as PNG, by rsvg-convert: it has the fonts for every script, and draws what a browser draws."""

from __future__ import annotations

import shutil
import subprocess

PROGRAM = "rsvg-convert"
ZOOM = "2"  # sharp on the screens of today
PATIENCE_S = 60
REMEDY = (
    f"a PNG needs {PROGRAM}, which is not on your PATH: install librsvg2-bin (Debian, Ubuntu), librsvg2-tools (Fedora) "
    "or librsvg (Arch, Homebrew). --svg needs nothing"
)


class CannotDrawError(OSError):
    """There is no program for it, or it failed."""


def png(svg: str) -> bytes:
    program = shutil.which(PROGRAM)
    if program is None:
        raise CannotDrawError(REMEDY)
    argv = [program, "--format", "png", "--zoom", ZOOM]
    try:
        done = subprocess.run(argv, input=svg.encode(), capture_output=True, timeout=PATIENCE_S, check=True)
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode("utf-8", "replace").strip().splitlines()
        raise CannotDrawError(f"{PROGRAM} failed: {said[-1] if said else error.returncode}") from None
    except subprocess.TimeoutExpired:
        raise CannotDrawError(f"{PROGRAM} did not finish in {PATIENCE_S} s") from None
    return done.stdout
