"""What an earlier dispatcher noted of a batch: which tasks have ended, and which were running when it was killed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from agency.clock import since_boot
from agency.outcome import refused
from contract import machine
from processes.identity import Identity, compare

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agency.dispatch.job import Job

KEPT = ("ok", "outcome", "exit", "reason", "lasted", "denials", "session")  # of a result


class Begun(NamedTuple):
    """A worker that was started."""

    digest: str
    session: str
    pid: int
    start: str
    place: tuple[str, ...]  # where the pid means it
    boot: float  # when, in seconds since boot

    @property
    def identity(self) -> Identity:
        """A pid of another machine, or of before its last start, says nothing here."""
        if not self.start or self.place != machine.here():
            return Identity.UNKNOWN
        return compare(self.pid, self.start)


class EarlierRun(NamedTuple):
    session: str
    name: str
    begun: Mapping[str, Begun] = {}
    ended: Mapping[str, dict[str, Any]] = {}


def decode(data: bytes) -> EarlierRun | None:
    """None without a first line. What was cut off while it was written did not happen."""
    session, name = "", ""
    place: tuple[str, ...] = ()
    begun: dict[str, Begun] = {}
    ended: dict[str, dict[str, Any]] = {}
    for raw in _records(data):
        if isinstance(raw.get("dispatch"), str):
            session, name, place = raw["dispatch"], str(raw.get("name")), _texts(raw.get("place"))
        elif isinstance(raw.get("ended"), dict):
            ended[raw["task"]] = {key: raw["ended"].get(key) for key in KEPT}
        else:
            begun[raw["task"]] = _begun(raw, place)
    return EarlierRun(session, name, begun, ended) if session else None


def refuse_changes(source: str, before: EarlierRun, jobs: Sequence[Job]) -> None:
    """What has run already must still be what the file says: its result would be shown for something else."""
    by_id = {job.id: job for job in jobs}
    for id_, begun in before.begun.items():
        if id_ not in by_id:
            raise refused(f"{source}: the task {id_!r} has run already, and is not there any more")
        if by_id[id_].digest != begun.digest:
            raise refused(f"{source}:{by_id[id_].line}: the task {id_!r} has run already, and was another one then")


def boot_clock() -> float:
    return round(since_boot(), 3)


def _records(data: bytes) -> list[dict[str, Any]]:
    found = []
    for line in data.splitlines():
        try:
            raw = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(raw, dict) and isinstance(raw.get("task", ""), str) and ("task" in raw or "dispatch" in raw):
            found.append(raw)
    return found


def _begun(raw: Mapping[str, Any], place: tuple[str, ...]) -> Begun:
    """Of a field of the wrong type nothing is known, and so it is not known whether the task still runs."""
    pid, boot = raw.get("pid"), raw.get("boot")
    return Begun(
        digest=str(raw.get("digest")),
        session=str(raw.get("session")),
        pid=pid if type(pid) is int else 0,
        start=str(raw.get("start") or ""),
        place=place,
        boot=float(boot) if isinstance(boot, int | float) else 0.0,
    )


def _texts(raw: Any) -> tuple[str, ...]:
    return tuple(map(str, raw)) if isinstance(raw, list) else ()
