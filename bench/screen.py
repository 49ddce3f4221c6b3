"""The terminal view, in a real terminal: from a status file replaced to the screen, and its cost when left alone."""

from __future__ import annotations

import os
import select
import shlex
import shutil
import subprocess
import time
from typing import TYPE_CHECKING, Self

import psutil

from bench import cpu, figure, place, race
from bench.budget import Budget
from bench.figure import Figure, Missing
from bench.place import OURS, Place
from bench.watching import wait
from contract import paths, status, store
from contract.status import NEEDS_APPROVAL, WAITING, WORKING, AgentStatus, Heartbeat, SessionStatus

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bench.dose import Dose

ROUNDS = 40
SECONDS = 30.0
QUIET, MANY = 50, 200
MOST_MS, SHARE = 100.0, 0.3
PAUSE_S = 0.05  # between two changes, so that each is drawn for itself
LONG_AGO_S, LATELY_S = 7200.0, 120.0  # since when the first of the sessions has been as it is
PATIENCE_S = 60.0  # used up only by what will never come
BEAT_S = 5.0


def figures(dose: Dose) -> Iterator[Figure | Missing]:
    if not shutil.which("tmux"):
        yield Missing("the terminal view", "there is no tmux")
        return
    for number in (QUIET, MANY):
        with place.folder() as path, Watched(Place(path), number) as where, Screen(where) as screen:
            taken = [delay(where, screen, k) for k in range(dose.rounds(ROUNDS) + 1)][1:]
        yield late(f"screen.terminal.{number}", f"status file to the terminal, {number} sessions", taken, MOST_MS)
    with place.folder() as path, Watched(Place(path), QUIET, LATELY_S) as where, Screen(where) as screen:
        share, memory = rest(where, screen, dose.seconds(SECONDS))
    yield from left_alone("terminal", "`yourturn top`", share, memory)


def late(key: str, what: str, taken: list[float], most: float) -> Figure:
    return figure.of(key, what, taken, budgets=(Budget(race.p95(taken), most, "ms at p95"),))


def left_alone(key: str, what: str, share: float, memory: float) -> Iterator[Figure]:
    """What it takes while only ages grow."""
    about = f"{what} at rest, {QUIET} sessions"
    budget = Budget(share, SHARE, "%")
    yield Figure(f"screen.{key}.cpu", f"{about}: of one core", share, "%", budgets=(budget,))
    yield Figure(f"screen.{key}.memory", f"{about}: memory", memory / 1e6, "MB")


def session(number: int, state: str, detail: str, ago: float = LONG_AGO_S) -> SessionStatus:
    """Each is a minute older than the one before: below an hour, ages that are shown grow at any moment."""
    since = time.time() - ago - number * 61
    agents = (AgentStatus("main", "agent", None, None, state, detail, since, "turn-open", "hook", "running"),)
    name, cwd = f"session-{number:03}", f"/home/me/project-{number % 7}"
    return SessionStatus(name, name, cwd, number + 1, state, detail, since, "turn-open", "hook", agents=agents)


class Watched(Place):
    """A state folder with so many sessions, and a watcher's lock and heartbeat: ours."""

    lock: int

    def __new__(cls, where: Place, number: int, ago: float = LONG_AGO_S) -> Self:
        made = super().__new__(cls, where.path)
        store.private_folder(paths.status_dir(made.state))
        for k in range(number):
            made.put(session(k, WAITING if k % 2 else WORKING, "1 shell running", ago))
        taken = store.take(paths.watcher_lock(made.state))
        assert taken is not None
        made.lock = taken
        made.beat()
        return made

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.lock)

    def environment(self, **more: str) -> dict[str, str]:
        """A front end that outlives our lock for a moment must not start a watcher that outlives us all."""
        return super().environment(YOURTURN_NO_WATCHER="1", **more)

    def put(self, one: SessionStatus) -> None:
        store.replace(paths.status(self.state, one.session_id), status.encode(one))

    def beat(self) -> None:
        store.replace(paths.heartbeat(self.state), status.encode(Heartbeat(os.getpid(), "1", "0", time.time())))


class Screen:
    """`yourturn top` in a tmux of its own. What it writes to the terminal comes to us through a pipe as well."""

    def __init__(self, where: Place) -> None:
        self._env = where.environment(TMUX_TMPDIR=where.path, TERM="xterm-256color")
        fifo = f"{where.path}/written"
        os.mkfifo(fifo)
        self._tmux("new-session", "-d", "-x", "100", "-y", "30", shlex.join([*OURS, "top"]))
        self._written = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
        self._tmux("pipe-pane", "-O", f"exec cat > {shlex.quote(fifo)}")

    def __enter__(self) -> Self:
        wait(lambda: "q quit" in self.shown(), "the screen did not come up")
        pane = psutil.Process(int(self._tmux("display", "-p", "#{pane_pid}")))
        self.process = next((child for child in pane.children()), pane)
        self.settled()
        return self

    def __exit__(self, *_: object) -> None:
        self._tmux("kill-server")
        os.close(self._written)

    def shown(self) -> str:
        return self._tmux("capture-pane", "-p")

    def settled(self) -> float:
        """Waits until it has been quiet for a while; the moment of the last byte it wrote, 0 if it wrote none."""
        last = 0.0
        while self.wrote(PAUSE_S):
            assert os.read(self._written, 1 << 16), "what it writes no longer comes to us"
            last = time.perf_counter()
        return last

    def wrote(self, seconds: float) -> bool:
        return bool(select.select([self._written], (), (), seconds)[0])

    def _tmux(self, *words: str) -> str:
        argv = ["tmux", "-L", "bench", "-f", "/dev/null", *words]
        return subprocess.run(argv, env=self._env, capture_output=True, text=True, check=True).stdout


def delay(where: Watched, screen: Screen, number: int) -> float:
    """Milliseconds until the screen shows a change: to the last byte that is written for it."""
    changed = session(0, NEEDS_APPROVAL, f"Bash: step {number}")
    began = time.perf_counter()
    where.put(changed)
    drawn = until(screen, lambda shown: changed.detail in shown)
    where.put(changed._replace(detail="-"))
    until(screen, lambda shown: changed.detail not in shown)
    where.beat()
    return (drawn - began) * race.MS


def until(screen: Screen, is_so: Callable[[str], bool]) -> float:
    """The moment of the last byte that was written for it: something else may be drawn before, such as an age."""
    while True:
        assert screen.wrote(PATIENCE_S), "the screen stayed as it was"
        last = screen.settled()
        if is_so(screen.shown()):
            return last


def rest(where: Watched, screen: Screen, seconds: float) -> tuple[float, int]:
    """The share of one core it takes while nothing but a heartbeat happens, in percent, and its memory."""
    began, before = time.monotonic(), cpu.spent(screen.process.pid)
    end = began + seconds
    while (left := end - time.monotonic()) > 0:
        where.beat()
        time.sleep(min(left, BEAT_S))
    spent = cpu.spent(screen.process.pid) - before
    took = time.monotonic() - began
    assert "q quit" in screen.shown(), "it did not live that long"
    return spent / took * 100, screen.process.memory_info().rss
