"""Visits to the daemon, beside the watcher's own work: one at a time, each in a thread that ends with it.

A socket that hangs holds up nobody but that thread, and that no longer than a visit may last.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, NamedTuple

from watcher.clients.codex.threads import threads
from watcher.clients.codex.visit import Failed, visit

if TYPE_CHECKING:
    from collections.abc import Callable

    from watcher.clients.codex.daemon_file import Daemon
    from watcher.clients.codex.threads import Thread


class Report(NamedTuple):
    """What a visit has brought back."""

    daemon: Daemon
    at: float  # when it began (wall clock): what it tells may be as old as that
    threads: list[Thread] | None  # None: it failed
    unread: frozenset[str] = frozenset()  # threads that are there, and that nothing new is known of


def in_a_thread(work: Callable[[], None]) -> None:
    threading.Thread(target=work, name="codex-visit", daemon=True).start()


class Visitor:
    def __init__(self, run: Callable[[Callable[[], None]], None] = in_a_thread) -> None:
        self._run = run
        self._helpers: frozenset[str] = frozenset()  # threads of the client's own: what they are does not change
        self._is_away = False
        self._report: Report | None = None

    @property
    def is_away(self) -> bool:
        """Whether a visit is under way, or has ended and nobody has heard yet."""
        return self._is_away

    @property
    def is_waited_for(self) -> bool:
        return self._is_away and self._report is None

    def go(self, daemon: Daemon, now: float) -> None:
        if not self._is_away:
            self._is_away, self._report = True, None
            self._run(lambda: self._visit(daemon, now))

    def take(self) -> Report | None:
        """What came of it, once."""
        report = self._report
        if report:
            self._is_away, self._report = False, None
        return report

    def _visit(self, daemon: Daemon, now: float) -> None:
        """In the thread: the last thing it does is to report."""
        report = Report(daemon, now, None)
        try:
            told = visit(daemon.socket, daemon.pid, skip=self._helpers)
            helpers = {str(one.get("id")) for one in told.threads if one.get("ephemeral") is True}
            self._helpers = told.passed_over | helpers
            report = Report(daemon, now, threads(told.threads), told.unread)
        except Failed:
            self._helpers = frozenset()
        finally:
            self._report = report
