"""What the registry says of a process, and what it said before: each word dated once, when it is first read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from watcher.rules.dialogs import heard as with_word
from watcher.rules.evidence import said

if TYPE_CHECKING:
    from watcher.clients.base import Entry
    from watcher.clock import Clock
    from watcher.rules.dialogs import Word
    from watcher.rules.evidence import Said
    from watcher.sessions.client_process import ClientProcess

LATE_S = 1.0  # so long after the end of a turn the registry may still say busy


@dataclass
class Hearing:
    history: tuple[Word, ...] = ()  # what it said before its present word
    _last: tuple[object, Said | None] | None = None  # as it was read, and what it means

    def hear(
        self, entry: Entry | None, process: ClientProcess, now: float, clock: Clock, *, is_here: bool
    ) -> Said | None:
        """Its present word. The wall clock, by which the registry dates it, may be set later."""
        read = (entry.pid, entry.status, entry.waiting_for, entry.status_at) if entry else None
        if entry is None or self._last is None or self._last[0] != read:
            word = said(entry, clock, now, is_now=is_here) if entry else None
            before = self._last[1] if self._last else None
            if before:
                until = word.at if word else now
                until = min(until, process.slept_at) if now < process.awake_from else until
                self.history = with_word(self.history, before, until)
            self._last = (read, word)
        return self._last[1]

    def while_asleep(
        self, word: Said | None, process: ClientProcess, now: float, ended_at: float
    ) -> tuple[Said | None, tuple[Word, ...]]:
        """The present word and those before it, where nobody may have kept it up to date since the process stopped.

        A dialog stays until it is answered. `ended_at`: the last turn; a moment after it a word of before is late.
        """
        is_late = word is not None and word.at < process.slept_at < ended_at and now < ended_at + LATE_S
        if word is None or word.status == "waiting" or (now >= process.awake_from and not is_late):
            return word, self.history
        history = with_word(self.history, word, process.slept_at)
        return replace(word, is_now=False, slept_at=process.slept_at), history
