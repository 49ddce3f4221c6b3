"""The turn after several events."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from watcher.rules.turn import Turn, fold

if TYPE_CHECKING:
    from collections.abc import Iterable

    from watcher.rules.turn_events import Event


def fold_all(turn: Turn, events: Iterable[Event]) -> Turn:
    return reduce(fold, events, turn)
