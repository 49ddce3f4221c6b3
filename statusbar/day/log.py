"""Reads the log and the present state: the one place where a day meets the disk."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from contract import paths, store
from contract.pulse import Watcher
from statusbar.day import names
from statusbar.day.history import End, history
from statusbar.day.lines import records

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statusbar.day.history import History
    from statusbar.day.names import Named
    from statusbar.model.snapshot import Statuses


class Known(NamedTuple):
    history: History
    named: list[Named]


def read(home: str, statuses: Statuses, now: float) -> Known:
    found = history(records(entries(home)), _end(statuses, now))
    return Known(found, names.names(found.courses, statuses.sessions))


def entries(home: str) -> Iterator[dict[str, Any]]:
    """Every line of both files that is one, in order; half a line of a watcher that was killed is none."""
    path = paths.observations(home)
    for each in (path + ".1", path):
        try:
            lines = (store.read(each) or b"").splitlines()
        except OSError:
            continue
        for line in lines:
            try:
                entry = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(entry, dict):
                yield entry


def _end(statuses: Statuses, now: float) -> End:
    if statuses.watcher(now) is Watcher.ALIVE:
        return End(now, now)
    beat = statuses.heartbeat
    return End(now, beat.beat if beat and 0 < beat.beat <= now else 0.0, statuses.pulse.rests)
