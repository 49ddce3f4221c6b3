"""Which task is next: in the order of the file, as far as `after` and the number of workers allow. Pure."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING, NamedTuple

from agency.dispatch.graph import dependants

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agency.dispatch.job import Job


class NotRun(NamedTuple):
    job: Job
    reason: str


class Plan:
    def __init__(self, jobs: Sequence[Job], workers: int, *, keep_going: bool = False) -> None:
        self._workers, self._keep_going = workers, keep_going
        self._below = dependants(jobs)
        self._place = {job.id: place for place, job in enumerate(jobs)}
        self._awaited = {job.id: len(job.after) for job in jobs}  # how many it still waits for
        self._waiting = {job.id: job for job in jobs}  # neither begun nor given up
        self._ready: list[tuple[int, Job]] = [(self._place[job.id], job) for job in jobs if not job.after]
        self.running: dict[str, Job] = {}
        self.was_stopped = False  # before all that could have been run was

    @property
    def is_open(self) -> bool:
        return bool(self._waiting)

    def next(self) -> Job | None:
        """None if nobody is free, or everything waits for something. It is only looked at: `begin` takes it."""
        while self._ready and self._ready[0][1].id not in self._waiting:
            heappop(self._ready)
        return self._ready[0][1] if self._ready and len(self.running) < self._workers else None

    def begin(self, job: Job) -> None:
        del self._waiting[job.id]
        self.running[job.id] = job

    def end(self, job: Job, *, ok: bool) -> list[NotRun]:
        """It has run; which tasks will not, because of that."""
        lost = self.settle(job, ok=ok)
        if ok or self._keep_going:
            return lost
        return [*lost, *self.stop(f"stopped after the failure of {job.id}")]

    def skip(self, ended: Mapping[str, bool]) -> list[NotRun]:
        """They ran before this plan was made, well or not: that stops nothing but what waits for them."""
        jobs = [self._waiting.pop(id_) for id_ in ended]
        return [lost for job in jobs for lost in self.settle(job, ok=ended[job.id])]

    def stop(self, reason: str) -> list[NotRun]:
        """No further task is begun."""
        left = [NotRun(job, reason) for job in self._waiting.values()]
        self.was_stopped |= bool(left)
        self._waiting.clear()
        return left

    def settle(self, job: Job, *, ok: bool) -> list[NotRun]:
        """Those that wait for it may begin, or never will; that stops nothing else."""
        self.running.pop(job.id, None)
        if not ok:
            return self._give_up(job)
        for below in self._below[job.id]:
            self._awaited[below.id] -= 1
            if not self._awaited[below.id]:
                heappush(self._ready, (self._place[below.id], below))
        return []

    def _give_up(self, failed: Job) -> list[NotRun]:
        """All that wait for it, and those that wait for these."""
        found: list[NotRun] = []
        left = list(self._below[failed.id])
        while left:
            job = left.pop(0)
            if self._waiting.pop(job.id, None):
                found.append(NotRun(job, f"it waits for {failed.id}, which failed"))
                left += self._below[job.id]
        return found
