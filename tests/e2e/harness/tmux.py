"""A terminal for one program: a tmux server of its own, found by nobody else."""

from __future__ import annotations

import signal
import subprocess
import uuid
from typing import TYPE_CHECKING

import psutil

from e2e.harness.patience import PATIENCE_S, ended, until

if TYPE_CHECKING:
    from collections.abc import Mapping

COLUMNS, LINES = 120, 50


class Terminal:
    """``TMUX_TMPDIR`` in the environment says where the server's socket lies."""

    def __init__(self, argv: list[str], folder: str, environment: Mapping[str, str]) -> None:
        # With more than one word tmux starts the program itself; otherwise the pane's pid would be a shell's.
        if len(argv) < 2:
            raise ValueError(argv)
        self._environment = dict(environment)
        self._socket = f"e2e-{uuid.uuid4().hex[:8]}"
        size = ["-x", str(COLUMNS), "-y", str(LINES)]
        pids = self._tmux("new-session", "-d", "-P", "-F", "#{pid} #{pane_pid}", *size, "-c", folder, *argv).split()
        self.pid = int(pids[1])
        self._server = psutil.Process(int(pids[0]))
        # Ends the server when this process ends, whatever way: a killed test run must not leave clients behind.
        # Not by tmux itself, as the socket may be gone with the home it lay in.
        guard = ["/bin/sh", "-c", 'cat; kill "$0"', pids[0]]
        self._guard = subprocess.Popen(guard, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True)
        self._tmux("set-option", "-g", "remain-on-exit", "on")

    def screen(self) -> str:
        return self._tmux("capture-pane", "-p", check=False)

    def key(self, *keys: str) -> None:
        self._tmux("send-keys", *keys)

    def type(self, words: str) -> None:
        self._tmux("send-keys", "-l", words)

    def bury(self) -> bool:
        """Let the server look for its dead: now and then tmux misses the signal and leaves a zombie."""
        if ended(self._server):
            return False
        self._server.send_signal(signal.SIGCHLD)
        return True

    def close(self) -> None:
        """Hang up on the program, if it still runs."""
        self._guard.communicate()
        until(lambda: ended(self._server), PATIENCE_S, lambda: f"{self._server} did not end")

    def _tmux(self, *args: str, check: bool = True) -> str:
        argv = ["tmux", "-L", self._socket, "-f", "/dev/null", *args]
        return subprocess.run(argv, env=self._environment, check=check, capture_output=True, text=True).stdout
