"""hosts/observations.jsonl: what changed on other machines, in the format of our own observations, with the host.

Bounded, and written by the collector alone. Its threads take turns, because one of them may begin a new file.
"""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from contract import observed, paths, store
from contract.observation import Life, Observation, line, observe

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from contract.hosts import Host
    from contract.status import SessionStatus

    Pair = tuple[SessionStatus | None, SessionStatus | None]

log = logging.getLogger("yourturn")

LIMIT = 1 << 20  # bytes; one predecessor is kept
TURNS = threading.Lock()
GONE = Life("gone")  # its own machine knows how it ended, and does not say


def changed(home: str, host: str, pairs: Iterable[Pair], now: float) -> None:
    """What happened between two looks at each of these sessions."""
    _write(home, (_on(host, one) for old, new in pairs for one in observe(old, new, now, GONE)))


def reached(home: str, host: Host, now: float) -> None:
    """That it is connected, or is not any more."""
    fields = {"to": observed.REACHED if host.reached else observed.OUT_OF_REACH, "why": host.why}
    _write(home, [_on(host.name, Observation(observed.HOST, now, "", "", "line", fields))])


def _on(host: str, one: Observation) -> Observation:
    return Observation(one.kind, one.at, one.session, one.agent, one.by, {**one.fields, "host": host})


def _write(home: str, seen: Iterable[Observation] | Iterator[Observation]) -> None:
    data = b"".join(map(line, seen))
    if not data:
        return
    try:
        with TURNS:
            store.append(paths.other_observations(home), data, limit=LIMIT)
    except OSError as error:
        log.warning("observations: %s", error)
