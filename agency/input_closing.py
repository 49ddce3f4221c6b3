"""When the standard input of a hosted agent is closed: after that it can ask nobody. Pure."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from agency.events import Finished, Rests, TaskEnded, Tasks, TaskStarted

if TYPE_CHECKING:
    from agency.events import Event

LINGER_S = 5.0  # for the turn that begins when the last task has ended


class InputClosing:
    """It is done when it rests, has said its last words, and nothing that it has left running could wake it."""

    def __init__(self) -> None:
        self._tasks: frozenset[str] = frozenset()
        self._has_finished = self._tells_rest = self._rests = False
        self.closes_at = math.inf

    def told(self, event: Event, now: float) -> None:
        if isinstance(event, Rests):
            self._tells_rest, self._rests = True, event.is_resting
            self.closes_at = now if self._is_done else math.inf
        elif isinstance(event, Finished):
            self._has_finished = True
            if self._is_done:  # it does not say when it rests, or has said so already
                self.closes_at = now + (LINGER_S if self._tells_rest else 0.0)
        elif isinstance(event, (Tasks, TaskStarted, TaskEnded)):
            self._tasks = _left(self._tasks, event)
            self.closes_at = now + LINGER_S if self._is_done else math.inf

    @property
    def _is_done(self) -> bool:
        return self._has_finished and not self._tasks and (self._rests or not self._tells_rest)


def _left(tasks: frozenset[str], event: Tasks | TaskStarted | TaskEnded) -> frozenset[str]:
    if isinstance(event, Tasks):
        return event.ids
    return tasks | {event.id} if isinstance(event, TaskStarted) else tasks - {event.id}
