"""The results of a batch on standard output, one JSON object a line, and how many there are."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from agency.dispatch.progress import Count
from agency.dispatch.results import NOT_RUN
from agency.outcome import could_not

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agency.dispatch.job import Job
    from agency.dispatch.progress import Progress
    from agency.dispatch.results import Result


class Report:
    def __init__(self, jobs: Sequence[Job], progress: Progress, *, at_end: bool) -> None:
        self._jobs, self._progress, self._at_end = jobs, progress, at_end
        self._results: dict[str, Result] = {}
        self._failed = 0

    @property
    def all_ok(self) -> bool:
        return len(self._results) == len(self._jobs) and all(result["ok"] for result in self._results.values())

    @property
    def is_watched(self) -> bool:
        """By a person, at a terminal."""
        return self._progress.is_shown

    def say(self, job: Job, line: str) -> None:
        """What a worker says beside its output."""
        self._progress.said(job.id, line)

    def take(self, result: Result) -> None:
        """NotDone if nobody reads what is printed."""
        kept = result if self._at_end else {**result, "message": ""}
        self._results[result["id"]] = kept
        self._failed += not result["ok"] and result["outcome"] != NOT_RUN
        self._progress.ended(result)
        if not self._at_end:
            _print(result)

    def finish(self) -> None:
        self._progress.clear()
        if self._at_end:
            for job in self._jobs:
                if job.id in self._results:
                    _print(self._results[job.id])

    def draw(self, running: Sequence[str], waits: str = "") -> None:
        count = Count(len(self._jobs), len(self._results), self._failed, tuple(running))
        self._progress.draw(count, waits)


def _print(result: Result) -> None:
    try:
        sys.stdout.write(json.dumps(result) + "\n")
        sys.stdout.flush()
    except OSError as error:
        raise could_not(f"the results cannot be printed: {error.strerror}") from None
