"""What a look at families costs: the whole table against the one family that is asked about."""

from __future__ import annotations

import os
import statistics
import time
from typing import TYPE_CHECKING

import psutil

from watcher.lineage import Kind, Lineage
from watcher.proc import Proc
from watcher.processes import Probe

if TYPE_CHECKING:
    from collections.abc import Callable

PROCESSES = 5000
AGENTS = 50
TOOLS = 20
ROUNDS = 15


def main() -> None:
    procs = table()
    whole, one = Lineage(procs), family(procs, 1)
    assert len(whole) == PROCESSES
    assert len(whole.agents()) == AGENTS
    assert sum(node.kind is Kind.TOOL for node in whole.walk(1)) == TOOLS
    probe, me = Probe(), os.getpid()
    report(
        f"synthetic: {PROCESSES} processes, {AGENTS} agents with {TOOLS} tools each",
        {
            "whole table: take it and find all agents": milliseconds(lambda: Lineage(procs).agents()),
            "whole tree: refresh one family of it": milliseconds(lambda: whole.refresh(one, [1])),
            "one family: take it and walk it": milliseconds(lambda: list(Lineage(one).walk(1))),
        },
    )
    report(
        f"this machine: {len(psutil.pids())} processes",
        {
            "the whole table": milliseconds(probe.everyone),
            "psutil: children of one process, recursive": milliseconds(
                lambda: psutil.Process(me).children(recursive=True)
            ),
            "one family": milliseconds(lambda: probe.snapshot([me])),
        },
    )


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


def milliseconds(work: Callable[[], object]) -> float:
    """The median of some rounds after one to warm up."""
    work()
    taken = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        work()
        taken.append(time.perf_counter() - began)
    return statistics.median(taken) * 1000


def report(title: str, taken: dict[str, float]) -> None:
    print(title)
    least = min(taken.values())
    for name, value in taken.items():
        print(f"  {name:<45} {value:9.3f} ms {value / least:8.1f} x")


if __name__ == "__main__":
    main()
