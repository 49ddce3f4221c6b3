"""Workers of a dispatcher that was killed: found by pid and start, waited for, and ended if they have to be."""

from __future__ import annotations

import contextlib
import math
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agency import registration
from agency.dispatch import earlier_run
from agency.dispatch.results import LOST
from agency.end import Plan, end, end_family
from agency.family import Family
from agency.running_workers import TIMEOUT
from processes.identity import Identity
from processes.table import Probe

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agency.dispatch.earlier_run import Begun
    from agency.dispatch.job import Job
    from agency.registration import Spawned
    from agency.running_workers import RunningWorkers

POLL_S = 0.2  # where the kernel does not tell of an end
REST_S = 1.0
ENDED_UNSEEN = "its dispatcher was killed while it ran, so how it ended is not known"
NOT_FOUND = "its dispatcher was killed while it ran, and whether it still runs cannot be told from here"


@dataclass(frozen=True)
class Orphan:
    """A worker that nobody waits for any more."""

    job: Job
    begun: Begun
    due_s: float  # on the boot clock
    agent: Spawned | None = None  # as it is registered


class Orphans:
    def __init__(self, home: str, running: RunningWorkers) -> None:
        self._home, self._running = home, running
        self._there: dict[str, tuple[Orphan, int]] = {}  # with a descriptor that tells of the end, where there is one

    def __bool__(self) -> bool:
        return bool(self._there)

    def adopt(self, orphan: Orphan) -> None:
        fd = _descriptor(orphan.begun.pid)
        if fd >= 0:
            self._running.watch(fd)
        self._there[orphan.job.id] = orphan, fd

    def limit_s(self) -> float:
        """How long one may wait before looking at them again."""
        now = earlier_run.boot_clock()
        due = (max(orphan.due_s - now, 0.0) if fd >= 0 else POLL_S for orphan, fd in self._there.values())
        return min(due, default=math.inf)

    def ended(self) -> Iterator[tuple[Orphan, str, str]]:
        """Those that are gone, with outcome and reason; those whose time is over are ended."""
        now = earlier_run.boot_clock()
        for orphan, fd in list(self._there.values()):
            is_overdue = orphan.due_s <= now
            if is_overdue:
                self._end(orphan)
            if is_overdue or orphan.begun.identity is not Identity.SAME:
                self._forget(orphan, fd)
                yield (orphan, TIMEOUT, TIMEOUT) if is_overdue else (orphan, LOST, ENDED_UNSEEN)

    def end_all(self, grace_s: float) -> list[Orphan]:
        """And all that they have started."""
        found = [orphan for orphan, _ in self._there.values()]
        for orphan, fd in list(self._there.values()):
            self._end(orphan, grace_s)
            self._forget(orphan, fd)
        return found

    def _end(self, orphan: Orphan, grace_s: float = REST_S) -> None:
        """Its family is noted before it ends."""
        begun, probe = orphan.begun, Probe()
        client = probe.process(begun.pid)
        family = Family(client, probe) if client and begun.identity is Identity.SAME else None
        end(begun.pid, begun.start, Plan(grace_s=grace_s))
        if family:
            end_family(family, Plan(grace_s=REST_S))

    def _forget(self, orphan: Orphan, fd: int) -> None:
        del self._there[orphan.job.id]
        if fd >= 0:
            self._running.unwatch(fd)
            os.close(fd)
        if orphan.agent:
            with contextlib.suppress(OSError):
                registration.unregister(self._home, orphan.agent)


def _descriptor(pid: int) -> int:
    try:
        return os.pidfd_open(pid)
    except (OSError, AttributeError):
        return -1
