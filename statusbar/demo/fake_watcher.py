"""A temporary state folder for the demo, with a watcher's lock, heartbeat and status files."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from types import MappingProxyType
from typing import TYPE_CHECKING, Self

from contract import paths, status, store
from contract.status import Heartbeat
from contract.version import VERSION
from conversations import clients
from statusbar.system import ending

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from types import TracebackType

    from contract.status import SessionStatus
    from conversations.glimpse import Glimpse

BEAT_S = 5.0
NOTHING: Mapping[str, Glimpse] = MappingProxyType({})
LOG_LIMIT = 1 << 16
QUIET = b"[notify]\nenabled = false\n"  # no notifications about agents that do not exist


class FakeWatcher:
    """The only code in this package that writes status files: in its folder no other watcher runs."""

    def __init__(self) -> None:
        self.home = ""
        self._lock = -1
        self._written: dict[str, SessionStatus] = {}
        self._told: dict[str, Glimpse] = {}
        self._beat = 0.0

    def __enter__(self) -> Self:
        try:
            with ending.held_back():
                self.home = tempfile.mkdtemp(prefix="yourturn-demo-")
                self._lock = store.take(paths.watcher_lock(self.home)) or -1
                for folder in (paths.status_dir(self.home), f"{self.home}/transcripts"):
                    store.private_folder(folder)
                store.replace(self.home + "/config.toml", QUIET)
        except BaseException:  # a signal that was held back
            self._clear()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._clear()

    def write(self, sessions: Iterable[SessionStatus], now: float, told: Mapping[str, Glimpse] = NOTHING) -> None:
        """Write the status files and transcripts that changed, remove those of sessions that have ended."""
        wanted = {one.session_id: self._with_transcript(one, told.get(one.session_id)) for one in sessions}
        for id_ in self._written.keys() - wanted.keys():
            store.remove(paths.status(self.home, id_))
        for id_, session in wanted.items():
            if self._written.get(id_) != session:
                store.replace(paths.status(self.home, id_), status.encode(session))
                self._observe(self._written.get(id_), session)
        self._written = wanted
        self._write_heartbeat(now)

    def _with_transcript(self, session: SessionStatus, glimpse: Glimpse | None) -> SessionStatus:
        """As a client would have it, so that what reads transcripts runs as it always does."""
        written = clients.writer(session.client)
        if glimpse is None or written is None:
            return session
        path = f"{self.home}/transcripts/{session.session_id}.jsonl"
        if self._told.get(session.session_id) != glimpse:
            store.replace(path, written(glimpse))
            self._told[session.session_id] = glimpse
        return session._replace(transcript=path)

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
        """A second signal in the midst of it would leave half of the folder behind."""
        with ending.held_back():
            shutil.rmtree(self.home, ignore_errors=True)
            if self._lock >= 0:
                os.close(self._lock)
