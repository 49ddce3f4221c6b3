"""What came of a task, as one JSON object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agency.request import COMMAND
from agency.running_workers import TIMEOUT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agency.dispatch.job import Job
    from agency.running_workers import End

VERSION = 1
COMPLETED, FAILED, KILLED, LOST, NOT_RUN = "completed", "failed", "killed", "lost", "not run"
BY_SIGNAL = (-9, -15)
BY_SIGNAL_OF_CLIENT = (137, 143)  # a coding agent that was asked to end says so with an exit code of its own
NOTHING: dict[str, Any] = {"exit": None, "lasted": None, "denials": [], "message": "", "session": None}

Result = dict[str, Any]


def ended(job: Job, end: End, *, untrusted: bool) -> Result:
    outcome, how = _outcome(end), end.result
    told = {
        "exit": end.code, "reason": f"yourturn kill, asked for by {end.killed_by}" if end.killed_by else how.reason,
        "lasted": round(end.lasted, 3), "denials": list(how.denials), "message": how.message,
        "session": end.worker.agent.session,
    }  # fmt: skip
    return _result(job, outcome, told, untrusted=untrusted)


def not_run(job: Job, reason: str, *, untrusted: bool) -> Result:
    return _result(job, NOT_RUN, {"reason": reason}, untrusted=untrusted)


def unseen(job: Job, outcome: str, told: Mapping[str, Any], *, untrusted: bool) -> Result:
    """Of a worker that was not ours: lost, unless we have ended it."""
    return _result(job, outcome, told, untrusted=untrusted)


def again(job: Job, noted: Mapping[str, Any], *, untrusted: bool) -> Result:
    """As the journal has it."""
    return {**_result(job, str(noted["outcome"]), noted, untrusted=untrusted), "resumed": True}


def _outcome(end: End) -> str:
    if end.worker.stopped == TIMEOUT:
        return TIMEOUT
    if end.worker.stopped or end.killed_by or end.code in BY_SIGNAL:
        return KILLED
    if end.worker.request.client != COMMAND and end.code in BY_SIGNAL_OF_CLIENT:
        return KILLED
    return COMPLETED if end.result.ok else FAILED


def _result(job: Job, outcome: str, told: Mapping[str, Any], *, untrusted: bool) -> Result:
    head = {"v": VERSION, "id": job.id, "ok": outcome == COMPLETED, "outcome": outcome}
    return {**head, **NOTHING, **told, "untrusted": untrusted, "after": list(job.after)}
