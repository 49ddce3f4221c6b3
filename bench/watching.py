"""The real watcher, in a process of its own, as a hook would start it."""

from __future__ import annotations

import signal
import subprocess
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

import psutil

from bench import cpu
from bench.place import OURS
from contract import paths, store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bench.place import Place

PATIENCE_S = 60.0  # used up only by what will never come
ENDS = (signal.SIGINT, signal.SIGTERM)
IDLE_S = "600"  # longer than any pause between two turns that are measured


class Watching:
    """It ends with us; if we are killed, it ends by itself after a while, as there is no session left."""

    _process: subprocess.Popen[bytes]
    seen: psutil.Process

    def __init__(self, where: Place) -> None:
        store.private_folder(where.state)
        self._where, self._state = where, where.state

    def __enter__(self) -> Self:
        try:
            with signals_held_back():
                self._process = subprocess.Popen(
                    [*OURS, "watch", "--until-idle"],
                    env=self._where.environment(YOURTURN_IDLE_S=IDLE_S),
                    cwd=self._where.path,
                    stdin=subprocess.DEVNULL,
                )
            self.seen = psutil.Process(self._process.pid)
            wait(lambda: self._has_ended() or store.read(paths.heartbeat(self._state)), "the watcher did not start")
        except BaseException:
            if hasattr(self, "_process"):
                self.__exit__()
            raise
        if self._has_ended():
            raise SystemExit("bench: the watcher ended at once")
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
        folder = paths.status_dir(self._state)
        wait(lambda: len(store.names(folder)) >= sessions, f"the watcher did not tell of {sessions} sessions")


@contextmanager
def signals_held_back() -> Iterator[None]:
    """A signal that ends us comes afterwards: a process that was started but is not known yet would stay behind."""
    came: list[int] = []
    before = {number: signal.signal(number, lambda one, _frame: came.append(one)) for number in ENDS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if came:
        signal.raise_signal(came[0])


def wait(holds: Callable[[], object], otherwise: str, pause: float = 0.02) -> None:
    end = time.monotonic() + PATIENCE_S
    while not holds():
        if time.monotonic() > end:
            raise SystemExit(f"bench: {otherwise} within {PATIENCE_S:g} s")
        time.sleep(pause)
