"""A terminal for one program: a tmux server of its own, found by nobody else."""

from __future__ import annotations

import os
import signal
import subprocess
from typing import TYPE_CHECKING, NamedTuple, Self

if TYPE_CHECKING:
    from collections.abc import Mapping

COLUMNS, LINES = 120, 50


class Terminal(NamedTuple):
    """``TMUX_TMPDIR`` in the environment says where the server's socket lies."""

    environment: dict[str, str]
    server: int
    pid: int

    @classmethod
    def run(cls, argv: list[str], folder: str, environment: Mapping[str, str]) -> Self:
        # With more than one word tmux starts the program itself; otherwise the pane's pid would be a shell's.
        if len(argv) < 2:
            raise ValueError(argv)
        env = dict(environment)
        size = ["-x", str(COLUMNS), "-y", str(LINES)]
        started = _tmux(env, "new-session", "-d", "-P", "-F", "#{pid} #{pane_pid}", *size, "-c", folder, *argv)
        _tmux(env, "set-option", "-g", "remain-on-exit", "on")
        server, pid = started.split()
        return cls(env, int(server), int(pid))

    def screen(self) -> str:
        return _tmux(self.environment, "capture-pane", "-p", check=False)

    def key(self, *keys: str) -> None:
        _tmux(self.environment, "send-keys", *keys)

    def type(self, words: str) -> None:
        _tmux(self.environment, "send-keys", "-l", words)

    def bury(self) -> None:
        """Let the server look for a dead program: now and then tmux 3.3 misses the signal and leaves a zombie."""
        os.kill(self.server, signal.SIGCHLD)

    def close(self) -> None:
        _tmux(self.environment, "kill-server", check=False)


def _tmux(environment: dict[str, str], *args: str, check: bool = True) -> str:
    argv = ["tmux", "-L", "e2e", "-f", "/dev/null", *args]
    return subprocess.run(argv, env=environment, check=check, capture_output=True, text=True).stdout
