"""What one change costs among few and among many agents, and what a look at all of them costs."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING

from bench import figure, growth, place, race
from bench.budget import Budget
from bench.crowd import Crowd
from bench.place import Place
from contract import paths, store
from watcher.files.filewatch import Wakeup
from watcher.loop import Watch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from bench.dose import Dose
    from bench.figure import Figure

MOST = 3.0
SIZES = (1, 20, 200, 1000)
ROUNDS = 40
TICK, POLL = "one change", "a poll of everything"


class World:
    """So many agents, and a watcher of them in this process."""

    def __init__(self, crowd: Crowd) -> None:
        self.crowd = crowd
        self.watch = Watch(crowd.where.state, crowd.where.environment())
        self.wakeup = Wakeup()
        self._turn = 0
        self._see_all()
        self.watch.look_at_all()
        self.wakeup.watch(self.watch.folders)

    def _see_all(self) -> None:
        """As the daemon does: one look reads only a part of many transcripts, and the next ones go on with it."""
        self.watch.look_at_all()
        told, wanted = self._told(), len(self.crowd.sessions)
        while told < wanted:
            self.watch.look_at_restless()
            before, told = told, self._told()
            assert told > before, f"the watcher tells of {told} of {wanted} sessions"

    def _told(self) -> int:
        return len(store.names(paths.status_dir(self.crowd.where.state)))

    def change(self) -> str:
        """Each time another agent of the first session: the same work, whoever else is there."""
        self._turn += 1
        session = self.crowd.sessions[0]
        agents = self.crowd.agents(session)
        agent = agents[self._turn % len(agents)]
        self.crowd.goes_on(session, agent)
        return self.crowd.fact(session, agent)

    def tick(self) -> float:
        """The look, and what the daemon does after it: see to it that the right folders are watched."""
        changed = self.change()

        def whole() -> None:
            self.watch.look_at([changed])
            self.wakeup.watch(self.watch.folders)

        return race.clock(whole)

    def poll(self) -> float:
        return race.clock(self.watch.look_at_all)


WORKS = {TICK: World.tick, POLL: World.poll}


def figures(dose: Dose) -> Iterator[Figure]:
    with place.folder() as path:
        taken = measure(Place(path), dose.rounds(ROUNDS), dose.sizes(SIZES))
    for name, many in taken.items():
        yield from told(name, many)


def measure(where: Place, rounds: int, sizes: Sequence[int]) -> dict[str, dict[int, list[float]]]:
    """Of each kind of work, the milliseconds at each size."""
    with ExitStack() as stack:
        worlds = {size: World(stack.enter_context(Crowd(Place(f"{where.path}/{size}"), size))) for size in sizes}
        return {name: _race(worlds, work, rounds) for name, work in WORKS.items()}


def _race(worlds: Mapping[int, World], work: Callable[[World], float], rounds: int) -> dict[int, list[float]]:
    taken = race.interleaved({str(size): partial(work, world) for size, world in worlds.items()}, rounds)
    return {int(size): many for size, many in taken.items()}


def told(name: str, taken: Mapping[int, Sequence[float]]) -> Iterator[Figure]:
    first, last = min(taken), max(taken)
    for size, many in taken.items():
        ratio = race.median(many) / race.median(taken[first])
        budgets = (Budget(ratio, MOST, hard=False),) if size == last and name == TICK else ()
        key, what = f"watcher.{name}.{size}", f"watcher, {name}, {size:,} agent{'' if size == 1 else 's'}"
        yield figure.beside(key, what, many, f"{first:,} agent", taken[first], budgets=budgets)
    points = {float(size): race.median(many) for size, many in taken.items()}
    yield from growth.figures(f"watcher.{name}", f"watcher, {name}", points)
