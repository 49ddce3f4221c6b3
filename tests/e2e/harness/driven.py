"""A program in a terminal of its own, driven by its keyboard and read from its screen."""

from __future__ import annotations

import contextlib
import re
from typing import TYPE_CHECKING, Self

import psutil

from e2e.harness.patience import PATIENCE_S, ended, until
from e2e.harness.tmux import Terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

# Long enough for a busy machine to show what a key did: a key pressed twice may answer the next dialog, too.
AGAIN_S = 15.0


class Driven:
    """A context manager; at its end the program ends, and all that it has started."""

    def __init__(self, argv: list[str], folder: str, environment: Mapping[str, str], program: str = "") -> None:
        """`program`: which one below the command is meant, if it is not the command itself."""
        self.terminal = Terminal(argv, folder, environment)
        self.pid = self._below(program) if program else self.terminal.pid
        self._process = psutil.Process(self.pid)
        self._brood: set[psutil.Process] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Looking

    def screen(self) -> str:
        return self.terminal.screen()

    def wait(self, pattern: str, seconds: float = PATIENCE_S) -> None:
        """Wait until the screen shows this. Beware: it shows the prompt, too, and with it the whole script."""
        look = re.compile(pattern, re.MULTILINE)
        until(lambda: look.search(self.screen()), seconds, lambda: f"{pattern!r} never came:\n{self.screen()}")

    def ready(self, pattern: str) -> None:
        """Wait until it shows this; if it never does, it ends."""
        try:
            self.wait(pattern)
        except BaseException:
            self.close()
            raise

    @property
    def has_ended(self) -> bool:
        return self._gone()

    # Doing

    def key(self, *keys: str) -> None:
        self.terminal.key(*keys)

    def kill9(self) -> None:
        self._count_brood()
        with contextlib.suppress(psutil.NoSuchProcess):
            self._process.kill()
        until(self._gone, PATIENCE_S, lambda: f"{self._process} outlived SIGKILL")

    def hang_up(self) -> None:
        """Close the terminal. A client says goodbye, which may take it two seconds."""
        self._count_brood()
        self.terminal.close()
        until(self._gone, PATIENCE_S, lambda: f"{self._process} outlived its terminal")

    def close(self) -> None:
        """End the program at once, and its terminal, and what it has started."""
        try:
            self.kill9()
        finally:
            self.terminal.close()
            for child in self._brood:
                with contextlib.suppress(psutil.NoSuchProcess):
                    child.kill()

    # Below

    def _below(self, program: str) -> int:
        """The pid of the program, as it is seen from here, below the command that starts it."""
        found: list[int] = []

        def started() -> bool:
            children = psutil.Process(self.terminal.pid).children(recursive=True)
            found.extend(child.pid for child in children if child.cmdline()[:1] == [program])
            return bool(found)

        try:
            until(started, 20, lambda: f"{program} was not started:\n{self.screen()}")
        except BaseException:
            self.terminal.close()
            raise
        return found[0]

    def _press_until(self, holds: Callable[[], bool], *keys: str) -> None:
        for _ in range(5):
            self.key(*keys)
            with contextlib.suppress(TimeoutError):
                return until(holds, AGAIN_S)
        raise TimeoutError(f"{keys} had no effect:\n{self.screen()}")

    def _count_brood(self) -> None:
        """Remember the children while their parent can name them: commands may outlive it."""
        with contextlib.suppress(psutil.NoSuchProcess):
            self._brood |= set(self._process.children(recursive=True))

    def _gone(self) -> bool:
        """Whether it has ended and, as long as its terminal is there to do it, is buried."""
        return ended(self._process) and not (self._process.is_running() and self.terminal.bury())
