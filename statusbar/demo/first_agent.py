"""Notices the first agent of the person's own while the demo runs."""

from __future__ import annotations

import select
from typing import TYPE_CHECKING, Self

from statusbar.model.live import Live

if TYPE_CHECKING:
    from types import TracebackType


class FirstAgent:
    """In the person's own state folder, where a watcher is kept running; without one, nobody is looked for."""

    def __init__(self, home: str = "") -> None:
        self._live = Live(home) if home else None

    def __enter__(self) -> Self:
        if self._live:
            self._live.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live:
            self._live.__exit__(kind, error, trace)

    def is_there(self) -> bool:
        if self._live is None:
            return False
        self._live.look()
        return any(not session.hidden for session in self._live.statuses.sessions)

    def wait(self, seconds: float, also: list[int]) -> None:
        """Until an agent may be there, one of the descriptors can be read, or so many seconds are over."""
        if self._live is None:
            select.select(also, (), (), seconds)
        else:
            self._live.wait(also, seconds)
