"""A temporary state folder for the demo, with a watcher's lock, heartbeat and status files."""

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
QUIET = b"[notify]\nenabled = false\n"  # no notifications about agents that do not exist
ENDING_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class FakeWatcher:
    """The only code in this package that writes status files: in its folder no other watcher runs."""

    def __init__(self) -> None:
        self.home = ""
        self._lock = -1
        self._written: dict[str, SessionStatus] = {}
        self._beat = 0.0

    def __enter__(self) -> Self:
        with _blocked(*ENDING_SIGNALS):
            self.home = tempfile.mkdtemp(prefix="yourturn-demo-")
            self._lock = store.take(paths.watcher_lock(self.home)) or -1
            store.private_folder(paths.status_dir(self.home))
            store.replace(self.home + "/config.toml", QUIET)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._clear()

    def write(self, sessions: Iterable[SessionStatus], now: float) -> None:
        """Write the status files that changed, remove those of sessions that have ended."""
        wanted = {session.session_id: session for session in sessions}
        for id_ in self._written.keys() - wanted.keys():
            store.remove(paths.status(self.home, id_))
        for id_, session in wanted.items():
            if self._written.get(id_) != session:
                store.replace(paths.status(self.home, id_), status.encode(session))
                self._observe(self._written.get(id_), session)
        self._written = wanted
        self._write_heartbeat(now)

    def _observe(self, before: SessionStatus | None, after: SessionStatus) -> None:
        was = {agent.key: agent.status for agent in before.agents} if before else {}
        for agent in after.agents:
            if was.get(agent.key) != agent.status:
                what = {"kind": "status_changed", "session": after.session_id, "agent": agent.key, "by": agent.rule}
                more = {"from": was.get(agent.key), "to": agent.status, "detail": agent.detail, "quote": agent.quote}
                line = json.dumps({"v": 1, "at": agent.since, **what, **more}).encode() + b"\n"
                store.append(paths.observations(self.home), line, limit=LOG_LIMIT)

    def _write_heartbeat(self, now: float) -> None:
        if abs(now - self._beat) >= BEAT_S:
            self._beat = now
            store.replace(paths.heartbeat(self.home), status.encode(Heartbeat(os.getpid(), "", VERSION, now, now)))

    def _clear(self) -> None:
        """With signals blocked: a second signal would leave half of the folder behind."""
        with _blocked(*ENDING_SIGNALS):
            shutil.rmtree(self.home, ignore_errors=True)
            if self._lock >= 0:
                os.close(self._lock)


@contextlib.contextmanager
def _blocked(*numbers: signal.Signals) -> Iterator[None]:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
