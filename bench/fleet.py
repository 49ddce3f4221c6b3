"""Many machines at one broker: from a change on one of them to the board of another, and what that costs."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, NamedTuple, Self

import psutil

from bench import cpu, figure, growth, place, polled, race
from bench.broker import Broker, server
from bench.budget import Budget
from bench.figure import Figure, Missing
from bench.place import OURS, PROJECT
from bench.publishers import OWNER
from contract import hosts, paths, status, store
from contract.status import NEEDS_APPROVAL, WAITING, WORKING, SessionStatus
from statusbar.model.reader import Reader
from statusbar.system.filewatch import Changes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bench.dose import Dose
    from bench.place import Place

SIZES = (10, 100, 1000)
SESSIONS = 20
EACH = 250  # machines in one process
ROUNDS, KILLS = 100, 10
MESSAGES = 20_000  # at least so many in a flood
REST_S = 10.0
PATIENCE_S, PAUSE_S = 600.0, 0.1  # twenty thousand files take their time on a slow disk
KILLED_MS = 2000.0
MB = float(1 << 20)
SHARE = """
import sys
from fleet.broker_publisher import BrokerPublisher
from fleet.share_settings import Sharing
share = BrokerPublisher(sys.argv[1], Sharing(sys.argv[2], sys.argv[3], "measured"))
share.start()
share.join()
"""
STATES = (WORKING, NEEDS_APPROVAL, WAITING)


class Measured(NamedTuple):
    begun_s: float  # until all machines are on the board
    changes: list[float]  # milliseconds
    kills: list[float]
    rate: float  # changes a second
    rest: dict[str, float]  # percent of a core, by process
    flood: dict[str, float]  # microseconds a change
    memory: dict[str, float]  # MB


def figures(dose: Dose) -> Iterator[Figure | Missing]:
    if not server("mosquitto"):
        yield Missing("many machines at one broker", "mosquitto is not installed")
        return
    found: dict[int, Measured] = {}
    for size in dose.sizes(SIZES):
        with place.folder() as path:
            found[size] = measure(place.Place(path), size, dose)
        yield from _of(size, found[size])
    yield from _growth(found)
    yield from polled.figures(dose, SESSIONS)


def _of(size: int, taken: Measured) -> Iterator[Figure]:
    machines = f"{size:,} machines"
    yield figure.of(f"fleet.change.{size}", f"{machines}: from a status file to the board", taken.changes)
    late = Budget(race.p95(taken.kills), KILLED_MS, "ms at p95")
    yield figure.of(f"fleet.killed.{size}", f"{machines}: a killed publisher is greyed", taken.kills, budgets=(late,))
    yield Figure(f"fleet.begin.{size}", f"{machines}: all of them on the board of a new collector", taken.begun_s, "s")
    yield Figure(f"fleet.rate.{size}", f"{machines}: changes sustained", taken.rate, "a second")
    for who in ("broker", "collector"):
        yield Figure(f"fleet.rest.{who}.{size}", f"{machines}: {who} at rest", taken.rest[who], "% of a core")
        yield Figure(
            f"fleet.flood.{who}.{size}", f"{machines}: {who}, for each change", taken.flood[who], "µs of a core"
        )
        yield Figure(f"fleet.memory.{who}.{size}", f"{machines}: {who}, memory", taken.memory[who], "MB")


def _growth(found: dict[int, Measured]) -> Iterator[Figure]:
    def points(of: str, who: str = "") -> dict[float, float]:
        return {float(size): getattr(taken, of)[who] if who else getattr(taken, of) for size, taken in found.items()}

    middle = {float(size): race.median(taken.changes) for size, taken in found.items()}
    yield from growth.figures("fleet.change", "from a change to the board", middle)
    yield from growth.figures("fleet.begin", "all of them on a new board", points("begun_s"))
    yield from growth.figures("fleet.rate", "changes sustained", points("rate"))
    for who in ("broker", "collector"):
        yield from growth.figures(f"fleet.rest.{who}", f"{who} at rest", points("rest", who))
        yield from growth.figures(f"fleet.memory.{who}", f"{who}, memory", points("memory", who))


def measure(where: Place, size: int, dose: Dose) -> Measured:
    with contextlib.ExitStack() as stack:
        broker = stack.enter_context(Broker(where.path))
        crowd = [stack.enter_context(publishers(broker.url, first, size)) for first in range(0, size, EACH)]
        box = _box(where, stack)
        publisher = _share(box, broker.url)
        stack.callback(lambda: _end(publisher))
        board = stack.enter_context(Board(where.state))
        began = time.perf_counter()
        collector = stack.enter_context(collecting(where, broker.url))
        _wait(lambda: board.knows(size + 1), "not all machines are on the board")
        begun_s = time.perf_counter() - began
        pids = {"broker": broker.pid, "collector": collector}
        changes = [_change(board, box, number) for number in range(dose.rounds(ROUNDS))]
        rest = _at_rest(pids, dose.seconds(REST_S))
        rate, flood = _flood(board, crowd, pids, size, dose.rounds(MESSAGES))
        memory = {who: psutil.Process(pid).memory_info().rss / MB for who, pid in pids.items()}
        kills = []
        for _ in range(dose.rounds(KILLS)):
            taken, publisher = _kill(board, box, broker.url, publisher)
            kills.append(taken)
    return Measured(begun_s, changes, kills, rate, rest, flood, memory)


class Board:
    """What a front end sees: woken by the one file that tells of news, it reads what is new."""

    def __init__(self, home: str) -> None:
        store.private_folder(paths.hosts_dir(home))
        self._reader = Reader(home, evidence=False, hosts=True)
        self._changes = Changes(paths.hosts_dir(home))

    def __enter__(self) -> Self:
        self._changes.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._changes.__exit__(None, None, None)

    def knows(self, number: int) -> bool:
        found = self._reader.read().hosts
        return len(found) == number and all(host.speaks for host in found)

    def until(self, host: str, state: str) -> None:
        """The first session of this machine is in this state, and known to be; '' for a machine that is gone."""
        while not self._is(host, state):
            self._changes.wait(10.0)

    def _is(self, host: str, state: str) -> bool:
        statuses = self._reader.read()
        speaks = any(one.name == host and one.speaks for one in statuses.hosts)
        if not state or not speaks:
            return speaks is bool(state)
        return any(one.status == state for one in statuses.sessions if one.host == host)

    def count(self, host_prefix: str, state: str) -> int:
        found = self._reader.read().sessions
        return sum(one.status == state for one in found if one.host.startswith(host_prefix))


def _change(board: Board, box: str, number: int) -> float:
    state = STATES[number % 3]
    time.sleep(0.011 + 0.01 * (number % 7))  # never the same beat
    began = time.perf_counter()
    _write(box, state)
    board.until("measured", state)
    return (time.perf_counter() - began) * race.MS


def _kill(
    board: Board, box: str, url: str, publisher: subprocess.Popen[bytes]
) -> tuple[float, subprocess.Popen[bytes]]:
    began = time.perf_counter()
    publisher.send_signal(signal.SIGKILL)
    board.until("measured", "")
    taken = (time.perf_counter() - began) * race.MS
    publisher.wait()
    fresh = _share(box, url)
    board.until("measured", _state(box))
    return taken, fresh


def _at_rest(pids: dict[str, int], seconds: float) -> dict[str, float]:
    time.sleep(1.0)
    before = {who: cpu.spent(pid) for who, pid in pids.items()}
    time.sleep(seconds)
    return {who: (cpu.spent(pid) - before[who]) / seconds * 100 for who, pid in pids.items()}


def _flood(
    board: Board, crowd: list[subprocess.Popen[str]], pids: dict[str, int], size: int, messages: int
) -> tuple[float, dict[str, float]]:
    """Everything changes at once, again and again, and each time all of it must come to the board."""
    each, rounds = size * SESSIONS, max(messages // (size * SESSIONS), 1)
    before, began = {who: cpu.spent(pid) for who, pid in pids.items()}, time.perf_counter()
    for number in range(rounds):
        for one in crowd:
            _tell(one, "change")
        wanted = (NEEDS_APPROVAL, WORKING)[number % 2]
        _wait(lambda wanted=wanted: board.count("box-", wanted) == each, "a change got lost")  # type: ignore[misc]
        for one in crowd:
            _hear(one, "said")
    taken, number = time.perf_counter() - began, each * rounds
    spent = {who: (cpu.spent(pid) - before[who]) / number * 1e6 for who, pid in pids.items()}
    return number / taken, spent


def _wait(holds: Callable[[], bool], otherwise: str) -> None:
    """Looked at seldom: who looks takes time from those who are measured."""
    end = time.monotonic() + PATIENCE_S
    while not holds():
        if time.monotonic() > end:
            raise SystemExit(f"bench: {otherwise}")
        time.sleep(PAUSE_S)


@contextlib.contextmanager
def publishers(url: str, first: int, size: int) -> Iterator[subprocess.Popen[str]]:
    number = min(EACH, size - first)
    argv = [sys.executable, "-m", "bench.publishers", url, str(first), str(number), str(SESSIONS)]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=PROJECT) as process:
        try:
            _hear(process, "ready")
            yield process
        finally:
            process.kill()


@contextlib.contextmanager
def collecting(where: Place, url: str) -> Iterator[int]:
    chosen = hosts.chosen(where.environment())
    store.replace(chosen, f'[hub]\nbroker = "{url}"\nowner = "{OWNER}"\n'.encode())
    with subprocess.Popen([*OURS, "collect"], env=where.environment()) as process:
        try:
            yield process.pid
        finally:
            process.terminate()


def _box(where: Place, stack: contextlib.ExitStack) -> str:
    """The machine that is measured: a state folder with a watcher that is well."""
    home = f"{where.path}/box"
    store.private_folder(paths.status_dir(home))
    lock = store.take(paths.watcher_lock(home))
    assert lock is not None
    stack.callback(os.close, lock)
    beat = status.Heartbeat(os.getpid(), "1", "0", time.time() + 3600)
    store.replace(paths.heartbeat(home), status.encode(beat))
    _write(home, STATES[-1])
    return home


def _share(home: str, url: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", SHARE, home, url, OWNER], cwd=PROJECT)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()


def _write(home: str, state: str) -> None:
    one = SessionStatus("measured", "shop-1", "/home/me/shop", 7, state, "", time.time(), "", "")
    store.replace(paths.status(home, "measured"), status.encode(one))


def _state(home: str) -> str:
    found = status.decode(store.read(paths.status(home, "measured")) or b"")
    assert found
    return found.status


def _tell(process: subprocess.Popen[str], word: str) -> None:
    assert process.stdin
    process.stdin.write(f"{word}\n")
    process.stdin.flush()


def _hear(process: subprocess.Popen[str], word: str) -> None:
    assert process.stdout
    said = process.stdout.readline().strip()
    assert said == word, f"the publishers said {said!r}"
