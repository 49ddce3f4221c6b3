"""Where a process comes from: which agent program it is, and whether another agent or no terminal started it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from processes.programs import invocation
from watcher.clients.base import Origin

if TYPE_CHECKING:
    from collections.abc import Collection

    from processes.programs import Invocation
    from processes.table import Probe

FARTHEST = 24


def origin(pid: int, probe: Probe, headless: Collection[str] = ()) -> Origin:
    """`headless`: the options with which the program can ask nobody."""
    proc = probe.process(pid)
    if proc is None:
        return Origin()
    called = invocation(proc.argv, proc.name)
    return Origin(
        program=called.program if called else "",
        helper=_below_an_agent(proc.ppid, called, probe) or probe.tty(pid) is None,
        headless=called is not None and not set(headless).isdisjoint(called.arguments),
        hosts=called is not None and called.hosts,
        arguments=called.arguments if called else (),
    )


def _below_an_agent(pid: int, below: Invocation | None, probe: Probe) -> bool:
    """Whether another one started it: not the script that launched `below` itself."""
    for _ in range(FARTHEST):
        proc = probe.process(pid) if pid > 1 else None
        if proc is None:
            return False
        called = invocation(proc.argv, proc.name)
        if called and not called.hosts and not (below and below.is_launched_by(called)):
            return True
        pid, below = proc.ppid, called
    return False
