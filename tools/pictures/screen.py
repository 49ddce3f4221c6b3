"""A screen that nobody sees: Xvfb, with mouse, keyboard and whatever runs on it."""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from types import TracebackType

    Colour = tuple[int, int, int]

PATIENCE_S = 60.0  # used up only by what will never come


class Screen:
    def __init__(self, folder: Path, env: Mapping[str, str], size: tuple[int, int]) -> None:
        self.folder = folder
        self.env = dict(env)
        self.width, self.height = size
        self.open = contextlib.ExitStack()

    def __enter__(self) -> Self:
        try:
            self.come_up()
        except BaseException:
            self.open.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.open.close()

    def come_up(self) -> None:
        """The server itself finds a number that is free. It never begins anew: meanwhile it would refuse others."""
        heard, said = os.pipe()
        size = f"{self.width}x{self.height}x24"
        argv = ["Xvfb", "-displayfd", str(said), "-screen", "0", size, "-nolisten", "tcp", "-noreset"]
        quiet = subprocess.DEVNULL
        server = subprocess.Popen(argv, env=self.env, pass_fds=[said], stdout=quiet, stderr=quiet)
        os.close(said)
        self._ended_with_us(server)
        with os.fdopen(heard) as answer:
            self.env["DISPLAY"] = f":{answer.readline().strip()}"

    def start(self, *argv: str, **more: str) -> subprocess.Popen[bytes]:
        """It is ended with the screen."""
        log = self.open.enter_context((self.folder / f"{os.path.basename(argv[0])}.log").open("wb"))
        made = subprocess.Popen(argv, env={**self.env, **more}, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self._ended_with_us(made)
        return made

    def _ended_with_us(self, process: subprocess.Popen[bytes]) -> None:
        self.open.callback(process.wait)
        self.open.callback(process.terminate)

    def do(self, *words: str) -> str:
        """With mouse and keyboard."""
        return subprocess.run(["xdotool", *words], env=self.env, check=True, capture_output=True, text=True).stdout

    def pixels(self) -> bytes:
        argv = ["import", "-window", "root", "-depth", "8", "rgb:-"]
        return subprocess.run(argv, env=self.env, check=True, capture_output=True).stdout

    def picture(self, path: str, window: str = "root") -> None:
        subprocess.run(["import", "-window", window, path], env=self.env, check=True, capture_output=True)

    def find(self, colour: Colour) -> tuple[int, int]:
        """Where on the screen it is, once it is there: the middle of all its pixels."""
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            drawn = self.pixels()
            found = [
                k // 3 for k in range(0, len(drawn), 3) if drawn[k] == colour[0] and drawn[k : k + 3] == bytes(colour)
            ]
            if found:
                wide = self.width
                return sum(k % wide for k in found) // len(found), sum(k // wide for k in found) // len(found)
            time.sleep(0.1)
        self.picture(str(self.folder / "screen.png"))
        raise AssertionError(f"never saw {colour}; the screen is in {self.folder}/screen.png")

    def until_drawn(self, colour: Colour, run: int) -> None:
        """So many pixels of this colour in a row, and then nothing new."""
        deadline = time.monotonic() + PATIENCE_S
        while bytes(colour) * run not in self.pixels():
            if time.monotonic() > deadline:
                raise AssertionError(f"never saw {run} pixels of {colour} in a row")
            time.sleep(0.1)
        self.until_still()

    def until_still(self) -> None:
        """Menus open with a short delay: until two looks in a row show the same."""
        before = self.pixels()
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            time.sleep(0.4)
            now = self.pixels()
            if now == before:
                return
            before = now
