"""A state folder of its own for a play: with a watcher's lock and heartbeat, and gone when the play is over."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import tempfile
from typing import TYPE_CHECKING, Self

from contract import paths, status, store
from contract.status import Heartbeat
from contract.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import TracebackType

    from contract.status import SessionStatus

BEAT_S = 5.0
LOG_LIMIT = 1 << 16
QUIET = b"[notify]\nenabled = false\n"  # nobody is to be called to an agent that does not exist
ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stage:
    """The one place in this room that writes status files: nobody else watches here, so it plays the watcher."""

    def __init__(self) -> None:
        self.home = ""
        self._lock = -1
        self._shown: dict[str, SessionStatus] = {}
        self._beat = 0.0

    def __enter__(self) -> Self:
        with _unheard(*ENDS):
            self.home = tempfile.mkdtemp(prefix="yourturn-demo-")
            self._lock = store.take(paths.watcher_lock(self.home)) or -1
            store.private_folder(paths.status_dir(self.home))
            store.replace(self.home + "/config.toml", QUIET)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._clear()

    def show(self, sessions: Iterable[SessionStatus], now: float) -> None:
        """Lay down what is new, take away what is gone."""
        wanted = {one.session_id: one for one in sessions}
        for id_ in self._shown.keys() - wanted.keys():
            store.remove(paths.status(self.home, id_))
        for id_, one in wanted.items():
            if self._shown.get(id_) != one:
                store.replace(paths.status(self.home, id_), status.encode(one))
                self._observe(self._shown.get(id_), one)
        self._shown = wanted
        self._live(now)

    def _observe(self, before: SessionStatus | None, after: SessionStatus) -> None:
        was = {agent.key: agent.status for agent in before.agents} if before else {}
        for agent in after.agents:
            if was.get(agent.key) != agent.status:
                said = {"kind": "status_changed", "session": after.session_id, "agent": agent.key, "by": agent.rule}
                more = {"from": was.get(agent.key), "to": agent.status, "detail": agent.detail, "quote": agent.quote}
                line = json.dumps({"v": 1, "at": agent.since, **said, **more}).encode() + b"\n"
                store.append(paths.observations(self.home), line, limit=LOG_LIMIT)

    def _live(self, now: float) -> None:
        if abs(now - self._beat) >= BEAT_S:
            self._beat = now
            store.replace(paths.heartbeat(self.home), status.encode(Heartbeat(os.getpid(), "", VERSION, now, now)))

    def _clear(self) -> None:
        """A second signal while we tidy up would leave half of the folder behind."""
        with _unheard(*ENDS):
            shutil.rmtree(self.home, ignore_errors=True)
            if self._lock >= 0:
                os.close(self._lock)


@contextlib.contextmanager
def _unheard(*numbers: signal.Signals) -> Iterator[None]:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
