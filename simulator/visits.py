"""Visits to Codex's daemon, at the seam where the watcher leaves its process: each takes a moment of virtual time."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from watcher.clients.codex import folder, visitor
from watcher.clients.codex.visit import Told
from watcher.clients.codex.visitor import Visitor

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from simulator.table import Table

VISIT_S = 0.03  # measured: 9 to 38 ms


class Visits:
    def __init__(self, table: Table) -> None:
        self._table = table
        self._now = 0.0
        self._under_way: list[tuple[float, Callable[[], None]]] = []

    def visitor(self) -> Visitor:
        return Visitor(self._begin)

    def _begin(self, work: Callable[[], None]) -> None:
        self._under_way.append((self._now + VISIT_S, work))

    def go_on(self, now: float) -> None:
        """Those that have ended by now bring back what is true at this moment."""
        self._now = now
        ended = [work for until, work in self._under_way if until <= now]
        self._under_way = [visit for visit in self._under_way if visit[0] > now]
        for work in ended:
            work()

    def visit(self, _path: str, _pid: int = 0, skip: Collection[str] = ()) -> Told:
        told = self._table.threads
        wanted = [dict(thread) for thread in told if thread["id"] not in skip]
        return Told(wanted, frozenset(skip).intersection(str(thread["id"]) for thread in told))


@contextmanager
def visits_see(table: Table) -> Iterator[Visits]:
    """The watcher visits the program's daemon, and no socket of this machine."""
    makes: Any = folder
    goes: Any = visitor
    visits, real = Visits(table), (makes.Visitor, goes.visit)
    makes.Visitor, goes.visit = visits.visitor, visits.visit
    try:
        yield visits
    finally:
        makes.Visitor, goes.visit = real
