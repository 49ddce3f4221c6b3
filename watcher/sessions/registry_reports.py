"""The registry's reports on a process, the present and those before: each dated once, when it is first read."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from watcher.clock import SKEW_S
from watcher.rules.evidence import asked_anew, registry_report
from watcher.rules.past_reports import with_missed, with_past

if TYPE_CHECKING:
    from watcher.clients.base import Entry
    from watcher.clock import Clock
    from watcher.rules.evidence import RegistryReport
    from watcher.rules.past_reports import PastReport
    from watcher.sessions.client_process import ClientProcess

BEGINS_S = 0.3  # a client may have been at work so long when it writes down that it has begun
LATE_S = 1.0  # so long after the end of a turn the registry may still say busy


@dataclass
class RegistryReports:
    history: tuple[PastReport, ...] = ()  # those before the present one
    _last: tuple[object, RegistryReport | None] | None = None  # as it was read, and what it means
    _begun: tuple[object, float] | None = None  # the same for the start of the process

    def read(
        self, entry: Entry | None, process: ClientProcess, now: float, clock: Clock, *, is_here: bool
    ) -> RegistryReport | None:
        """The present one. The wall clock, by which the registry dates it, may be set later.

        A client that leaves removes its entry before it says goodbye: what it has said there may stand nowhere else.
        """
        if entry is None and self._last and self._last[1]:
            return replace(self._last[1], is_now=False)
        read = (entry.pid, entry.status, entry.waiting_for, entry.status_at) if entry else None
        if entry is None or self._last is None or self._last[0] != read:
            report = registry_report(entry, clock, now, is_now=is_here) if entry else None
            before = self._last[1] if self._last else None
            if before:
                until = report.at if report else now
                until = min(until, process.slept_at) if now < process.awake_from else until
                self.history = with_past(self.history, before, until)
                self.history = with_missed(self.history, before, report) if report else self.history
            self._last = (read, report)
        elif (last := self._last[1]) and last.asked != entry.asked:
            self._last = (read, asked_anew(last, entry, clock, now))
        return self._last[1]

    def began(self, entry: Entry | None, now: float, clock: Clock) -> float:
        """When its process did, as it says; 0 if it does not. A time in the future was told by a clock set since."""
        if entry is None or entry.started_at is None:
            return 0.0
        read = (entry.pid, entry.started_at)
        if self._begun is None or self._begun[0] != read:
            at = clock.since_boot(entry.started_at, now)
            self._begun = (read, max(0.0, min(at, now) - BEGINS_S) if at < now + SKEW_S else 0.0)
        return self._begun[1]

    def while_asleep(
        self, report: RegistryReport | None, process: ClientProcess, now: float, ended_at: float
    ) -> tuple[RegistryReport | None, tuple[PastReport, ...]]:
        """The present report and those before it, where nobody may have kept it up to date since the process stopped.

        A dialog stays until it is answered. `ended_at`: the last turn; a moment after it a report from before is late.
        """
        is_late = report is not None and report.at < process.slept_at < ended_at and now < ended_at + LATE_S
        if report is None or report.status == "waiting" or (process.is_awake(now, report.at) and not is_late):
            return report, self.history
        history = with_past(self.history, report, process.slept_at)
        goes_on = process.stopped_at is None
        believed_from = max(process.awake_from, ended_at + LATE_S if is_late else 0.0) if goes_on else None
        slept_at = process.seen_stopped_at if goes_on else math.inf
        return replace(report, is_now=False, slept_at=slept_at, believed_from=believed_from), history
