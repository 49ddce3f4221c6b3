"""The real watcher, in a process of its own, as a hook would start it."""

from __future__ import annotations

import subprocess
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Self

import psutil

from bench import cpu
from bench.place import OURS
from contract import paths, store
from statusbar.system import ending

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.place import Place

PATIENCE_S = 60.0  # used up only by what will never come
IDLE_S = "600"  # longer than any pause between two turns that are measured


class Watching:
    """It ends with us; if we are killed, it ends by itself after a while, as there is no session left."""

    def __init__(self, where: Place) -> None:
        store.private_folder(where.state)
        self._where = where

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            with ending.held_back():  # else a process that was started, but is not known yet, would stay behind
                self._process = subprocess.Popen(
                    [*OURS, "watch", "--until-idle"],
                    env=self._where.environment(YOURTURN_IDLE_S=IDLE_S),
                    cwd=self._where.path,
                    stdin=subprocess.DEVNULL,
                )
                stack.push(self)
            self.seen = psutil.Process(self._process.pid)
            beat = paths.heartbeat(self._where.state)
            wait(lambda: self._has_ended() or store.read(beat), "the watcher did not start")
            if self._has_ended():
                raise SystemExit("bench: the watcher ended at once")
            stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        try:
            self._process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _has_ended(self) -> bool:
        return self._process.poll() is not None

    def spent(self) -> float:
        """Seconds of a core since its start."""
        return cpu.spent(self.seen.pid)

    def wait_for(self, sessions: int) -> None:
        """Until it has told of so many."""
        folder = paths.status_dir(self._where.state)
        wait(lambda: len(store.names(folder)) >= sessions, f"the watcher did not tell of {sessions} sessions")


def wait(holds: Callable[[], object], otherwise: str, pause: float = 0.02) -> None:
    end = time.monotonic() + PATIENCE_S
    while not holds():
        if time.monotonic() > end:
            raise SystemExit(f"bench: {otherwise} within {PATIENCE_S:g} s")
        time.sleep(pause)
