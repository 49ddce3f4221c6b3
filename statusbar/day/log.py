"""Reads the log and the present state: the one place where a day meets the disk."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from contract.pulse import Watcher
from statusbar.day import names
from statusbar.day.history import End, history
from statusbar.day.log_lines import records
from statusbar.model.observations import entries

if TYPE_CHECKING:
    from statusbar.day.history import History
    from statusbar.day.names import Named
    from statusbar.model.snapshot import Statuses


class Known(NamedTuple):
    history: History
    named: list[Named]


def read(home: str, statuses: Statuses, now: float) -> Known:
    found = history(records(entries(home)), _end(statuses, now))
    return Known(found, names.names(found.courses, statuses.sessions))


def _end(statuses: Statuses, now: float) -> End:
    if statuses.watcher(now) is Watcher.ALIVE:
        return End(now, now)
    beat = statuses.heartbeat
    return End(now, beat.beat if beat and 0 < beat.beat <= now else 0.0, statuses.pulse.rests)
