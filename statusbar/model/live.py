"""The statuses as they change, for front ends that keep running."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from typing import TYPE_CHECKING, Any, Self

from contract import paths
from contract.pulse import Watcher
from statusbar.model.reader import Reader
from statusbar.model.snapshot import Statuses
from statusbar.system.filewatch import Changes
from statusbar.system.watcher_start import WatcherStart

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from types import TracebackType

    from conversations.glimpse import Glimpse
    from statusbar.model.glimpses import Glimpses

POLL_S = 2.0
QUICK_S = 0.1  # while a watcher starts
# The ages of many rows change one after the other; drawing for each would be too often.
SELDOM_S = 5.0


class Live:
    def __init__(
        self,
        home: str,
        clock: Callable[[], float] = time.time,
        env: Mapping[str, str] = os.environ,
        transcripts: Glimpses | None = None,
    ) -> None:
        """`transcripts`: for a front end that shows what agents say; whoever shows none pays for none."""
        self.home = home
        self.statuses = Statuses()
        self.glimpses: Mapping[str, Glimpse] = {}
        self._transcripts = transcripts
        self.now = 0.0
        self._clock = clock
        self._reader = Reader(home, hosts=True)
        self._watcher_start = WatcherStart(home, env)
        self._changes = Changes(paths.status_dir(home), paths.open_dir(home), paths.hosts_dir(home))
        self._due = 0.0
        self._seen: Any = None

    def __enter__(self) -> Self:
        self._changes.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._changes.__exit__(kind, error, trace)

    def look(self) -> bool:
        """Read again; return whether there is something new to draw. A new heartbeat alone is not."""
        before, was = self._seen, self.now
        self.statuses, self.now = self._reader.read(), self._clock()
        if self._watcher_start.look(self.statuses, self.now):
            self.statuses = self._reader.read()
        new = self.statuses
        # A client writes its last words a moment after the event that ends its turn: they are looked for at each poll.
        self.glimpses = self._transcripts.of(new.sessions) if self._transcripts else {}
        self._seen = (
            self.glimpses,
            new.sessions,
            new.trouble,
            new.unusable,
            new.watcher(self.now),
            new.is_well(self.now),
            new.hosts,
            new.speaking(self.now),
        )
        return self._seen != before or self.now >= self._due or self.now < was

    def drawn(self, changes_at: float) -> None:
        """Remember when the ages that were drawn will change."""
        self._due = max(changes_at, self.now + SELDOM_S)

    def wait(self, also: Iterable[int] = (), at_most: float = POLL_S) -> list[int]:
        """Until something may be new, one of the descriptors in `also` can be read, or `at_most` seconds are over."""
        is_starting = self.statuses.watcher(self.now) is Watcher.STARTING
        # A watcher's first look may change no status file, so a starting watcher is polled.
        return self._changes.wait(min(QUICK_S if is_starting else POLL_S, self._due - self.now, at_most), also)

    @contextlib.contextmanager
    def woken_by_signals(self, *numbers: int) -> Iterator[None]:
        """In this context, these signals end a `wait`."""
        before = {number: signal.signal(number, lambda _number, _frame: None) for number in numbers}
        descriptor = signal.set_wakeup_fd(self._changes.wakeup_fd, warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(descriptor)
            for number, handler in before.items():
                signal.signal(number, handler)
