"""Hands out tasks to workers until all have ended, or somebody says stop. Nobody is left running when it ends."""

from __future__ import annotations

import math
import signal
import sys
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from agency import registration
from agency.dispatch import results
from agency.dispatch.graph import untrusted
from agency.dispatch.journal import NotNoted
from agency.dispatch.orphans import ENDED_UNSEEN, NOT_FOUND, Orphan, Orphans
from agency.outcome import Busy, NotDone
from agency.running_workers import RunningWorkers
from processes.identity import Identity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from agency.dispatch.job import Job
    from agency.dispatch.journal import Journal
    from agency.dispatch.plan import NotRun, Plan
    from agency.dispatch.report import Report
    from agency.dispatch.results import Result
    from agency.registration import Spawned
    from agency.request import Request
    from agency.running_workers import End
    from agency.start_agent import Context

PAUSE_S = 1.0  # before asking again for room that others may have left
GRACE_S = 2.0  # of a worker at an interruption: `yourturn kill` gives us five seconds for all of it
ASKED = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated", signal.SIGHUP: "its terminal was closed"}


class Work(NamedTuple):
    """What there is to do, and with whom."""

    jobs: Sequence[Job]
    requests: Mapping[str, Request]
    plan: Plan


class Dispatcher:
    def __init__(self, work: Work, context: Context, journal: Journal, report: Report) -> None:
        self._jobs, self._requests, self._plan = work
        self._context = context._replace(before_it_runs=self._note_start, waits_for_room=True)
        self._journal, self._report = journal, report
        self._untrusted = untrusted(work.jobs)
        self._by_session = {self._requests[job.id].session: job for job in work.jobs}
        self._asked: list[int] = []  # signals
        self._answered = 0  # how many of them have been
        self._next_try, self._waits = 0.0, ""  # when there was no room, and why
        self._was_refused = False

    @property
    def is_cut_short(self) -> bool:
        """Whether some tasks have not run that still could."""
        return self._was_refused or self._plan.was_stopped

    def run(self) -> int:
        """The exit code."""
        hear = self._heard if self._report.is_watched else None
        with _told_of_signals(self._asked), RunningWorkers(self._context, hear) as running:
            self._running, self._orphans = running, Orphans(self._context.home, running)
            try:
                self._look_back()
                self._work()
                self._report.finish()
            except BaseException:
                self._abandon()
                raise
        if self._asked:
            return 128 + self._asked[0]
        return 0 if self._report.all_ok else 1

    def _work(self) -> None:
        while self._plan.is_open or self._running.workers or self._orphans:
            if len(self._asked) > self._answered:
                self._obey()
            self._hand_out()
            self._report.draw(list(self._plan.running), self._waits)
            for end in self._running.wait(self._limit_s()):
                self._ended(end)
            for orphan, outcome, reason in self._orphans.ended():
                self._orphan_ended(orphan, outcome, reason)

    def _limit_s(self) -> float | None:
        """How long nothing has to be looked at, unless somebody ends or a signal comes; None: as long as it takes."""
        limit = self._orphans.limit_s()
        if self._waits:
            limit = min(limit, max(self._next_try - time.monotonic(), 0.0))
        elif not self._running.workers and not self._orphans:
            return 0.0
        return None if limit == math.inf else limit

    def _hand_out(self) -> None:
        if self._waits and time.monotonic() < self._next_try:
            return
        while (job := self._plan.next()) and len(self._asked) == self._answered:
            try:
                self._running.start(self._requests[job.id])
            except Busy as error:
                self._wait_for_room(str(error))
                return
            except (NotDone, OSError) as error:
                self._not_started(job, error)
            else:
                self._plan.begin(job)
            self._waits = ""

    def _wait_for_room(self, reason: str) -> None:
        if not self._waits:
            print(f"yourturn: waiting for room: {reason}", file=sys.stderr)
        self._waits, self._next_try = f"waiting for room: {reason}", time.monotonic() + PAUSE_S

    def _not_started(self, job: Job, error: NotDone | OSError) -> None:
        """What cannot be noted is not run, and neither is anything after it."""
        self._plan.begin(job)
        self._was_refused = True
        self._take(results.not_run(job, f"not started: {error}", untrusted=job.id in self._untrusted))
        self._not_run(self._plan.end(job, ok=False))
        if isinstance(error, NotNoted | OSError):
            print(f"yourturn: {error}. Nothing further is started", file=sys.stderr)
            self._stop(f"stopped: {error}")

    def _note_start(self, agent: Spawned) -> None:
        self._journal.note_start(self._by_session[agent.session], agent)

    def _heard(self, request: Request, line: str) -> None:
        self._report.say(self._by_session[request.session], line)

    def _ended(self, end: End) -> None:
        self._next_try = 0.0
        job = self._by_session[end.worker.agent.session]
        self._settle(job, results.ended(job, end, untrusted=job.id in self._untrusted))

    def _orphan_ended(self, orphan: Orphan, outcome: str, reason: str) -> None:
        """That stops nothing: it began in another run."""
        job, told = orphan.job, {"reason": reason, "session": orphan.begun.session}
        result = results.unseen(job, outcome, told, untrusted=job.id in self._untrusted)
        self._note_end(result)
        self._take(result)
        self._not_run(self._plan.settle(job, ok=False))

    def _settle(self, job: Job, result: Result) -> None:
        self._note_end(result)
        self._take(result)
        self._not_run(self._plan.end(job, ok=result["ok"]))

    def _note_end(self, result: Result) -> None:
        """It has ended, whether that can be noted or not."""
        try:
            self._journal.note_end(result)
        except NotDone as error:
            print(f"yourturn: the end of {result['id']} cannot be noted: {error}", file=sys.stderr)

    def _not_run(self, lost: Sequence[NotRun]) -> None:
        for job, reason in lost:
            self._take(results.not_run(job, reason, untrusted=job.id in self._untrusted))

    def _take(self, result: Result) -> None:
        self._report.take(result)

    def _stop(self, reason: str) -> None:
        self._not_run(self._plan.stop(reason))

    def _obey(self) -> None:
        """The first signal asks all workers to end, the next one ends them."""
        is_first, self._answered = not self._answered, len(self._asked)
        if not is_first:
            self._running.hurry()
            return
        why = ASKED[signal.Signals(self._asked[0])]
        self._running.stop_all(why, GRACE_S)
        self._stop(why)
        for orphan in self._orphans.end_all(GRACE_S):
            self._orphan_ended(orphan, results.KILLED, why)

    def _abandon(self) -> None:
        """Something went wrong here: nobody would wait for the workers."""
        self._running.stop_all("its dispatcher failed", GRACE_S)
        while self._running.workers:
            with suppress(Exception):
                self._running.wait()
        self._orphans.end_all(GRACE_S)

    def _look_back(self) -> None:
        """At what an earlier dispatcher has noted: results are told again, workers that still run are waited for."""
        before, by_id = self._journal.earlier, {job.id: job for job in self._jobs}
        for id_, noted in before.ended.items():
            self._take(results.again(by_id[id_], noted, untrusted=id_ in self._untrusted))
        well = {id_: bool(noted["ok"]) for id_, noted in before.ended.items()}
        self._not_run(self._plan.skip(well))
        for id_, begun in before.begun.items():
            if id_ not in before.ended:
                self._take_on(Orphan(by_id[id_], begun, self._due_s(id_, begun.boot), self._registered(id_)))

    def _take_on(self, orphan: Orphan) -> None:
        identity = orphan.begun.identity
        self._plan.begin(orphan.job)
        if identity is Identity.SAME:
            self._orphans.adopt(orphan)
        else:
            self._orphan_ended(orphan, results.LOST, ENDED_UNSEEN if identity is Identity.GONE else NOT_FOUND)

    def _due_s(self, id_: str, began: float) -> float:
        limit = self._requests[id_].timeout_s
        return began + limit if limit and began else math.inf

    def _registered(self, id_: str) -> Spawned | None:
        return registration.named(self._context.home, self._requests[id_].name)


@contextmanager
def _told_of_signals(asked: list[int]) -> Iterator[None]:
    """A signal only wakes us up: half a start cannot be taken back. What `nohup` has us ignore stays ignored."""
    heard = [number for number in ASKED if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, lambda number, _frame: asked.append(number)) for number in heard}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
