"""What one change costs among few and among many agents."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING

from bench import race
from bench.crowd import Crowd
from bench.place import Place
from bench.table import Budget, Row, Table, ms, times
from contract import paths, store
from watcher.loop import Watch
from watcher.wakeup import Wakeup

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

MOST = 3.0
SIZES = (10, 100, 1000)
AGENTS_EACH = 10


class World:
    """So many agents, and a watcher of them in this process."""

    def __init__(self, crowd: Crowd) -> None:
        self.crowd = crowd
        self.watch = Watch(crowd.where.state, crowd.where.environment())
        self.wakeup = Wakeup()
        self._turn = 0
        for _ in range(2):
            self.watch.look_at_all()
        self.wakeup.watch(self.watch.folders)
        assert len(store.names(paths.status_dir(crowd.where.state))) == len(crowd.sessions)

    def change(self) -> str:
        """Each time another agent of the first session: the same work, whoever else is there."""
        self._turn += 1
        session = self.crowd.sessions[0]
        agents = self.crowd.agents(session)
        agent = agents[self._turn % len(agents)]
        self.crowd.goes_on(session, agent)
        return self.crowd.fact(session, agent)

    def look(self) -> float:
        changed = self.change()
        return race.clock(lambda: self.watch.look_at([changed]))

    def tick(self) -> float:
        """The look, and what the daemon does after it: see to it that the right folders are watched."""
        changed = self.change()

        def whole() -> None:
            self.watch.look_at([changed])
            self.wakeup.watch(self.watch.folders)

        return race.clock(whole)

    def poll(self) -> float:
        return race.clock(self.watch.look_at_all)


def measure(where: Place, rounds: int, sizes: tuple[int, ...] = SIZES) -> Iterator[Table]:
    with ExitStack() as stack:
        worlds = {size: World(stack.enter_context(_crowd(where, size))) for size in sizes}
        works = {"one change, looked at": World.look, "the same with the watched folders": World.tick}
        polls = {"a poll of everything": World.poll}
        rows = [*_rows(worlds, works, rounds, hard=True), *_rows(worlds, polls, max(3, rounds // 5), hard=False)]
    yield Table(
        f"A tick of the watcher, {AGENTS_EACH} agents in a session, {rounds} rounds, interleaved",
        (*(f"{size} agents" for size in sizes), "last to first"),
        rows,
    )


def _crowd(where: Place, size: int) -> Crowd:
    return Crowd(Place(f"{where.path}/{size}"), size // AGENTS_EACH, AGENTS_EACH)


def _rows(
    worlds: Mapping[int, World], works: Mapping[str, Callable[[World], float]], rounds: int, *, hard: bool
) -> Iterator[Row]:
    names = {f"{name} {size}": partial(work, world) for name, work in works.items() for size, world in worlds.items()}
    taken = race.interleaved(names, rounds)
    for name in works:
        middles = [race.median(taken[f"{name} {size}"]) for size in worlds]
        ratio = middles[-1] / middles[0]
        budgets = (Budget(ratio, MOST),) if hard else ()
        yield Row(name, (*map(ms, middles), times(ratio)), budgets)
