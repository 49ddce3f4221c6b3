"""The seam to the process table: each question looks at no more processes than it is about."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from processes import system_table
from processes.identity import Identity, compare, start_of
from processes.process import Proc

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from processes.system_table import SystemTable

DEPTH = 32
MANY = 4096
AT_ONCE = 128  # as many processes as a poll looks at anew; with more than that, each has its turn


class Probe:
    """Never raises: a process that ends or becomes another program while we look is gone, or as it is now."""

    def __init__(self, table: SystemTable | None = None) -> None:
        self._table = table or system_table.here()
        self.rows: dict[int, Proc | OSError | None] = {}  # what is known in this tick; another one at the next
        self._looked: list[int] = []  # those of them that were looked up in this tick
        self._before: dict[int, Proc] = {}  # of earlier ticks, the oldest first
        self._pids: frozenset[int] | None = None
        self._compared: dict[tuple[int, str | None], tuple[Proc, Identity]] = {}

    def tick(self, *, is_poll: bool = False) -> None:
        """Begin anew: what was found for the tick before is not the truth any more.

        At a poll it may be, for as long as its pid is there: among a thousand processes that do nothing, only the next
        AT_ONCE are looked at. The end of one is told by the kernel (`exits`), and then the tick is none of a poll.
        """
        for pid in self._looked:
            row = self.rows[pid]
            self._before.pop(pid, None)
            if row and not isinstance(row, OSError) and not row.stopped:
                self._before[pid] = row
        self.rows, self._looked, self._pids = {}, [], None
        self._table.forget()
        if len(self._compared) > MANY:
            self._compared.clear()
        if is_poll:
            for pid in list(islice(self._before, AT_ONCE)):
                del self._before[pid]
            self._carry_over()

    def _carry_over(self) -> None:
        there = self.pids() if self._before else frozenset()
        if there.issuperset(self._before):
            self.rows = dict[int, Proc | OSError | None](self._before)
        else:
            self.rows = {pid: row for pid, row in self._before.items() if pid in there}

    def found(self, pid: int) -> Proc | OSError | None:
        """As the table has it, looked up once a tick: the same object as long as nothing has changed."""
        if pid not in self.rows:
            try:
                self.rows[pid] = self._table.row(pid)
            except OSError as error:
                self.rows[pid] = error
            self._looked.append(pid)
        return self.rows[pid]

    def row(self, pid: int) -> Proc | None:
        """The same; OSError where nothing can be said."""
        found = self.found(pid)
        if isinstance(found, OSError):
            raise found
        return found

    def pids(self) -> frozenset[int]:
        """All that can be seen, looked up once a tick. A process that is not among them may be hidden."""
        if self._pids is None:
            self._pids = frozenset(self._table.pids())
        return self._pids

    def snapshot(self, roots: Iterable[int], known: Mapping[int, str] | None = None) -> tuple[Proc, ...]:
        """The roots and all below them, parents first, each once.

        `known` are the pids and starts of members seen before: one whose parent has ended is nobody's child
        any more and is found by its pid alone. It comes with ppid 0: who adopted it is no family.
        """
        tops = set(roots)
        found: dict[int, Proc] = {}
        self._walk(tops, found)
        self._walk([pid for pid, start in (known or {}).items() if self.identity(pid, start) is Identity.SAME], found)
        return tuple(p if p.pid in tops or p.ppid in found else p._replace(ppid=0) for p in found.values())

    def children(self, pid: int) -> tuple[Proc, ...]:
        """The direct children alone: enough to see a command start."""
        return tuple(p for child in self._table.children(pid) if (p := self.process(child)) and p.ppid == pid)

    def everyone(self, but: Collection[int] = ()) -> tuple[Proc, ...]:
        """The whole table of this user: for the seldom question who else is there. `but`: those who are known."""
        pids = [pid for pid in self.pids() if pid not in but]
        return tuple(p for pid in pids if self._table.is_mine(pid) and (p := self.process(pid)))

    def flagged(self, procs: Iterable[Proc]) -> tuple[Proc, ...]:
        """The same with `agent_mode` as their environments have it."""
        return tuple(p._replace(agent_mode=self._table.agent_mode(p.pid) is True) for p in procs)

    def agent_mode(self, pid: int) -> bool | None:
        """Whether its environment has exactly AGENT_MODE=1; None if that may not be read."""
        return self._table.agent_mode(pid)

    def tty(self, pid: int) -> str | None:
        return self._table.tty(pid)

    def variable(self, pid: int, name: str) -> str | None:
        """Of its environment; '' if it is not set, None if that may not be read."""
        return self._table.variable(pid, name)

    def cwd(self, pid: int) -> str | None:
        """None if it may not be read."""
        return self._table.cwd(pid)

    def _walk(self, pids: Iterable[int], found: dict[int, Proc]) -> None:
        for _ in range(DEPTH):
            new = [p for pid in pids if pid not in found and (p := self.process(pid))]
            found.update((p.pid, p) for p in new[: MANY - len(found)])
            pids = [child for p in new for child in self._table.children(p.pid)]
            if not pids or len(found) >= MANY:
                return

    def process(self, pid: int) -> Proc | None:
        proc = self.glance(pid)
        return proc._replace(argv=self._table.argv(pid)) if proc else None

    def glance(self, pid: int) -> Proc | None:
        """The same without its argv, which would have to be read; the same object as long as nothing has changed."""
        try:
            return self.row(pid) if pid > 0 else None
        except OSError:
            return None

    def identity(self, pid: int, start: str | None) -> Identity:
        """Whether a process is still the one that was meant; of an unchanged row it is known."""
        known = self._compared.get((pid, start))
        if known and known[0] is self.found(pid):
            return known[1]
        found, row = compare(pid, start, self), self.rows.get(pid)
        if isinstance(row, Proc):
            self._compared[pid, start] = row, found
        return found

    def start_of(self, pid: int) -> str | None:
        return start_of(pid, self)
