"""A home of its own for a client: nothing of this machine reaches it, and it reaches nothing but loopback."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

from e2e.harness.patience import PATIENCE_S, until


class Place(NamedTuple):
    """The folder that a client takes for the home of its user."""

    path: str

    @property
    def project(self) -> str:
        return f"{self.path}/proj"

    @property
    def temporary(self) -> str:
        return f"{self.path}/tmp"

    def prepare(self) -> None:
        """A project in an empty home."""
        os.makedirs(self.temporary, 0o700)
        subprocess.run(["git", "init", "--quiet", self.project], check=True, env=self.plain())

    def plain(self) -> dict[str, str]:
        """An environment made from nothing, for a program in a terminal."""
        return {
            "HOME": self.path,
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
            "TMPDIR": self.temporary,
            "SHELL": "/bin/bash",
            "TERM": "xterm-256color",
            "TMUX_TMPDIR": self.temporary,
        }

    def write(self, name: str, value: object) -> None:
        """A text, or else a value as JSON, in a file of the home."""
        path = f"{self.path}/{name}"
        os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(value if isinstance(value, str) else json.dumps(value))

    def read(self, name: str) -> dict[str, Any]:
        with open(f"{self.path}/{name}", encoding="utf-8") as file:
            value: dict[str, Any] = json.load(file)
            return value

    def door(self, name: str) -> str:
        """A door at which a command waits: inside ``entered(door)`` it runs, afterwards it ends."""
        path = f"{self.path}/{name}"
        os.mkfifo(path)
        return path


@contextmanager
def entered(door: str, seconds: float = PATIENCE_S) -> Iterator[None]:
    """Wait until the command runs, and let it end at the end."""
    ends: list[int] = []

    def open_for_writing() -> bool:
        # Without a reader this fails at once, where a plain open would wait for ever.
        with contextlib.suppress(OSError):
            ends.append(os.open(door, os.O_WRONLY | os.O_NONBLOCK))
        return bool(ends)

    until(open_for_writing, seconds, lambda: f"nothing waits at {door}")
    try:
        yield
    finally:
        os.close(ends[0])
