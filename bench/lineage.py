"""What a look at families costs: the whole table against the one family that is asked about."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from bench import figure, race
from processes.lineage import Kind, Lineage
from processes.process import Proc
from processes.table import Probe

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from bench.dose import Dose
    from bench.figure import Figure

PROCESSES = 5000
AGENTS = 50
TOOLS = 20
ROUNDS = 15
ONE, ALL = "one family", "the whole table"


def figures(dose: Dose) -> Iterator[Figure]:
    procs = table()
    one, whole = family(procs, 1), Lineage(procs)
    assert len(procs) == PROCESSES
    assert len(whole.agents()) == AGENTS
    assert sum(node.kind is Kind.TOOL for node in whole.walk(1)) == TOOLS
    probe, me, rounds = Probe(), os.getpid(), dose.rounds(ROUNDS)
    made = {ONE: lambda: list(Lineage(one).walk(1)), ALL: lambda: Lineage(procs).agents()}
    yield _figure("made", f"lineage: one family of {PROCESSES:,} processes", made, rounds)
    yield _figure("real", "lineage: one family, read", {ONE: lambda: probe.snapshot([me]), ALL: probe.everyone}, rounds)


def _figure(key: str, what: str, works: Mapping[str, Callable[[], object]], rounds: int) -> Figure:
    """The first next to the second."""
    taken = race.interleaved({name: partial(race.clock, work) for name, work in works.items()}, rounds)
    one, other = taken.values()
    return figure.beside(f"processes.lineage.{key}", what, one, ALL, other)


def table() -> list[Proc]:
    """Agents with a shell and its commands below, and strangers as on any machine."""
    procs = [proc(pid, 0, "claude") for pid in range(1, AGENTS + 1)]
    pid = AGENTS + 1
    for agent in range(1, AGENTS + 1):
        procs += [proc(pid, agent, "bash"), *(proc(pid + k, pid, "sleep") for k in range(1, TOOLS))]
        pid += TOOLS
    return procs + [
        proc(other, other // 2, "zsh") for other in range(PROCESSES * 10, PROCESSES * 10 + PROCESSES - len(procs))
    ]


def family(procs: list[Proc], agent: int) -> list[Proc]:
    members = {node.pid for node in Lineage(procs).walk(agent)}
    return [one for one in procs if one.pid in members]


def proc(pid: int, ppid: int, name: str) -> Proc:
    return Proc(pid, ppid, "1", 0.01, name, (name,))
