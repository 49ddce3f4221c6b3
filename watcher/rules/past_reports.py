"""What the registry told of a process before its present report, and what follows from that."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from watcher.rules.pace import MOMENT_S
from watcher.rules.signs import RESTS
from watcher.rules.times import NEVER, latest

if TYPE_CHECKING:
    from watcher.rules.evidence import RegistryReport

MOST_REPORTS = 16
RESTED_S = 0.5  # between two turns the registry says idle for a shorter while


class PastReport(NamedTuple):
    """What the registry told of a process for a while."""

    status: str
    at: float
    until: float  # when the next one came
    after: float = 0.0  # since when what it put an end to was told, a dialog or a rest; 0 if that is not known

    @property
    def is_quiet(self) -> bool:
        """No dialog was open."""
        return self.status != "waiting"


def with_missed(
    history: tuple[PastReport, ...], before: RegistryReport, report: RegistryReport
) -> tuple[PastReport, ...]:
    """With the report that must have been between two dialogs of one kind, and was overwritten before it was read."""
    if (before.status, before.waiting_for) != (report.status, report.waiting_for) or report.at <= before.at:
        return history
    missed = replace(before, status="busy", waiting_for="", at=max(before.at, report.at - MOMENT_S))
    return with_past(history, missed, report.at)


def with_past(history: tuple[PastReport, ...], report: RegistryReport, until: float) -> tuple[PastReport, ...]:
    """With a report that holds no more."""
    return (*history, as_past(history, report, until))[-MOST_REPORTS:]


def as_past(history: tuple[PastReport, ...], report: RegistryReport, until: float) -> PastReport:
    """A report as it is remembered if it holds until then."""
    last = history[-1] if history else None
    if last is None or (last.status == report.status and last.at < report.at):
        return PastReport(report.status, report.at, until)  # what was between them was never read
    is_end = last.status in ("waiting", *RESTS) and report.status != last.status
    return PastReport(report.status, report.at, until, last.at if is_end else last.after)


# --- what follows; NEVER if nothing does


def resumed_at(history: tuple[PastReport, ...]) -> float:
    """When the process last went on after a rest, which may be too short to be read."""
    busy = [(before, later) for before, later in pairwise(history) if later.status == "busy"]
    return latest(later.at for before, later in busy if before.status in ("busy", *RESTS))


def rested_at(history: tuple[PastReport, ...]) -> float:
    """Since when it rested, if it did so until the present report."""
    last = history[-1] if history else None
    return last.at if last and last.status in RESTS else NEVER


def rested_until(history: tuple[PastReport, ...]) -> float:
    """The same for the end of a rest of some length."""
    last = history[-1] if history else None
    return last.until if last and last.status in RESTS and last.until - last.at > RESTED_S else NEVER


def dialog_until(history: tuple[PastReport, ...]) -> float:
    """When the last dialog was closed."""
    return latest(report.until for report in history if not report.is_quiet)
