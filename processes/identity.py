"""Whether a process is still the one that was meant.

A process is (pid, start). There are three answers, and only a proof counts as gone: what may not be looked
at, or was never known well enough, is unknown, and unknown never deletes.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Protocol

from processes import system_table

if TYPE_CHECKING:
    from processes.process import Proc

_HERE = system_table.here()


class Rows(Protocol):
    """Who can look up one process."""

    def row(self, pid: int) -> Proc | None: ...


class Identity(Enum):
    """The three answers."""

    SAME = "same"
    GONE = "gone"
    UNKNOWN = "unknown"


def compare(pid: int, start: str | None, table: Rows = _HERE) -> Identity:
    """Cheap enough for every session at every tick. A zombie is gone: it will not do anything any more."""
    if type(pid) is not int or pid <= 0:
        return Identity.UNKNOWN
    try:
        proc = table.row(pid)
    except OSError:
        return Identity.UNKNOWN
    if proc is None:
        return Identity.GONE
    if not start or _form(start) != _form(proc.start):
        return Identity.UNKNOWN
    return Identity.SAME if proc.start.split() == start.split() else Identity.GONE


def _form(start: str) -> tuple[int, int]:
    """What is told in another form than ours, ticks for instance where we know dates, proves nothing."""
    return len(start.split()), start.count(":")


def start_of(pid: int, table: Rows = _HERE) -> str | None:
    """None if there is no such process or it may not be looked at."""
    try:
        proc = table.row(pid) if type(pid) is int and pid > 0 else None
    except OSError:
        return None
    return proc.start if proc else None
