"""observations.jsonl: what changed, one line each, in order. Bounded, and readable while it is written."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING

from contract import paths, store

if TYPE_CHECKING:
    from collections.abc import Iterable

    from watcher.rules.lifecycle import Observation

log = logging.getLogger("yourturn")

LIMIT = 2 << 20  # a busy day; one predecessor is kept


class Observations:
    def __init__(self, home: str) -> None:
        self._path = paths.observations(home)

    def write(self, seen: Iterable[Observation]) -> None:
        lines = b"".join(_line(one) for one in seen)
        if not lines:
            return
        try:
            store.append(self._path, lines, limit=LIMIT)
        except OSError as error:
            log.warning("observations: %s", error)


def _line(one: Observation) -> bytes:
    raw = {"v": 1, "at": round(one.at, 3), "kind": one.kind, "session": one.session, "agent": one.agent, "by": one.by}
    return json.dumps({**raw, **one.fields}).encode() + b"\n"
