"""Waiting for the collector, after a command has changed what it reads."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from contract import paths, store

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE_S, PAUSE_S = 10.0, 0.05  # for the collector to end a connection


def until(home: str, is_done: Callable[[], bool]) -> None:
    """Until the collector has done it, or does not come to it in time; at once where none runs."""
    deadline = time.monotonic() + PATIENCE_S
    while store.is_locked(paths.collector_lock(home)) and not is_done() and time.monotonic() < deadline:
        time.sleep(PAUSE_S)
