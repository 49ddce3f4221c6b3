"""One look at everything, or at what changed: gather, resolve, publish."""

from __future__ import annotations

import logging
import os
from dataclasses import replace
from typing import TYPE_CHECKING

from contract import paths, status, store
from watcher.clock import Clock
from watcher.evidence import SOURCES
from watcher.factfiles import FactFiles
from watcher.identity import Identity
from watcher.processes import Probe
from watcher.provenance import Provenance, provenance
from watcher.registry import Registry
from watcher.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from contract.status import SessionStatus
    from watcher.registry import Entry

log = logging.getLogger("yourturn")

LINGER_S = 60.0  # facts of an ended session stay for late events this long
FORGET_S = 7 * 86400.0  # facts of a session whose process was never known stay this long
RETELL_S = 2.0  # evidence that changes without changing the verdict is written this often at most


class Watch:
    def __init__(self, home: str, env: Mapping[str, str], sources: frozenset[str] = SOURCES) -> None:
        self.home, self.sources = home, sources
        for folder in (paths.fact_dir(home), paths.status_dir(home)):
            store.private_folder(folder)
        self.clock, self.probe = Clock(), Probe()
        self.facts = FactFiles(home)
        self.sessions: dict[str, Session] = {}
        self.statuses: dict[str, SessionStatus] = {}  # as they lie on disk
        self._registries = {config: Registry(f"{config}/sessions") for config in [paths.config_dir(env)]}
        self._entries: dict[str, tuple[str, Entry]] = {}  # by session: where, and what
        self._told: dict[str, float] = {}
        self._by_pid: dict[int, set[str]] = {}
        self._origins: dict[int, tuple[str | None, Provenance]] = {}

    # --- looking

    def look_at_all(self) -> None:
        """The poll: it alone would be enough, file events only make it faster."""
        now = self._begin()
        self.facts.read()
        self._read_registries(now)
        known = set(self.facts.sessions) | set(self._entries)
        for gone in set(self.sessions) - known:
            self._forget(gone)
        for session in known:
            self._update(session, now)
        self._remove_leftovers()

    def look_at(self, changed: Iterable[str]) -> None:
        """These files changed."""
        now = self._begin()
        touched: set[str] = set()
        names = set()
        for path in changed:
            folder, _, name = path.rpartition("/")
            if folder == paths.fact_dir(self.home):
                names.add(name)
            elif folder.endswith("/sessions") or name == "sessions":
                touched |= self._read_registries(now)
            else:
                touched |= self._session_of(path)
        touched |= self.facts.read_some(names)
        for session in touched:
            if session in self.facts.sessions or session in self._entries:
                self._update(session, now)
            else:
                self._forget(session)

    def look_at_pressed(self) -> None:
        now = self._begin()
        for name in [name for name, session in self.sessions.items() if session.status and session.asks_for_bash]:
            self._update(name, now)

    @property
    def folders(self) -> set[str]:
        """Where file events matter."""
        found = {paths.fact_dir(self.home), *self._registries, *(f"{config}/sessions" for config in self._registries)}
        for session in self.sessions.values():
            if session.following and session.status:
                found |= session.following.folders
        return found

    @property
    def is_pressed(self) -> bool:
        """Something may change any moment that no file tells of."""
        return any(session.status and session.asks_for_bash for session in self.sessions.values())

    @property
    def is_needed(self) -> bool:
        return bool(self.statuses)

    def _begin(self) -> float:
        self.probe.tick()
        return self.clock.tick()

    def _read_registries(self, now: float) -> set[str]:
        """The sessions whose entry changed."""
        if "registry" not in self.sources:
            return set()
        for config in {session.config for session in self.sessions.values() if session.config} - set(self._registries):
            self._registries[config] = Registry(f"{config}/sessions")
        found = {
            entry.session_id: (config, entry)
            for config, registry in self._registries.items()
            for entry in registry.read(self.clock.wall(now))
            if not entry.spare and entry.kind not in ("daemon", "daemon-worker")
        }
        old, self._entries = self._entries, found
        return {session for session in {*old, *found} if old.get(session) != found.get(session)}

    def _session_of(self, path: str) -> set[str]:
        """Whose transcript this is, or whose folder it lies in."""
        return {part.removesuffix(".jsonl") for part in path.split("/")[-5:]} & set(self.sessions)

    # --- deciding

    def _update(self, name: str, now: float) -> None:
        """One session's trouble is its own."""
        try:
            session = self._take(name)
            if self._is_over(session, now):
                self._end(session, now)
            elif self._is_superseded(session):
                self._withdraw(name)
            else:
                self._publish(self._judge(session, now), now)
        except Exception:
            log.exception("session %s", paths.file_name(name))

    def _take(self, name: str) -> Session:
        session = self.sessions.setdefault(name, Session(name, self.sources))
        before = session.pid
        session.facts = self.facts.sessions.get(name, {})
        session.found_in(*self._entries.get(name, ("", None)))
        if session.pid != before or session.pid not in self._by_pid:
            self._by_pid.get(before or 0, set()).discard(name)
            self._by_pid.setdefault(session.pid or 0, set()).add(name)
        return session

    def _judge(self, session: Session, now: float) -> SessionStatus:
        found = session.judge(session.evidence(now, self.clock, self.probe), self.clock)
        session.status = found = replace(found, hidden=self._is_hidden(session))
        return found

    def _is_over(self, session: Session, now: float) -> bool:
        """Proven: the process is gone, or the client said goodbye. Or never known, and silent for a week."""
        if session.identity() is Identity.GONE:
            return True
        main = session.main
        if main and main.ended and not session.entry:
            return True
        if session.pid is None and session.facts:
            newest = max(fact.last.at[0] for fact in session.facts.values() if fact.last and fact.last.at)
            return self.clock.wall(now) - newest > FORGET_S
        return False

    def _end(self, session: Session, now: float) -> None:
        self._withdraw(session.id)
        main = session.main
        said_goodbye = main.ended.at[1] if main and main.ended and main.ended.at else None
        if said_goodbye is not None and session.identity() is not Identity.GONE and now - said_goodbye < LINGER_S:
            return
        self.facts.bury(session.id)
        self._forget(session.id)

    def _is_superseded(self, session: Session) -> bool:
        """A process has one session at a time: the registry says which, else the one begun last."""
        rivals = [self.sessions[name] for name in self._by_pid.get(session.pid or 0, ()) if name in self.sessions]
        rivals = [rival for rival in rivals if rival.pid is not None]
        if len(rivals) < 2:  # noqa: PLR2004 - itself
            return False
        named = [rival for rival in rivals if rival.entry]
        return session is not max(named or rivals, key=_begun)

    def _is_hidden(self, session: Session) -> bool:
        """A session of a program, not of a person; or of another client that runs the same hooks."""
        origin = self.origin(session)
        entrypoint = session.client.entrypoint if session.client else session.entry.entrypoint if session.entry else ""
        return origin.program not in ("", "claude") or ((entrypoint or "").startswith("sdk") and origin.helper)

    def origin(self, session: Session) -> Provenance:
        """Asked once for each process."""
        pid = session.pid
        if pid is None or "process" not in self.sources:
            return Provenance()
        known = self._origins.get(pid)
        if known is None or known[0] != session.id:
            known = self._origins[pid] = (session.id, provenance(pid, self.probe))
        return known[1]

    # --- telling

    def _publish(self, found: SessionStatus, now: float) -> None:
        old = self.statuses.get(found.session_id)
        if old == found:
            return
        told = self._told.get(found.session_id, float("-inf"))
        if old and _without_evidence(old) == _without_evidence(found) and now - told < RETELL_S:
            return
        path = paths.status(self.home, found.session_id)
        try:
            store.replace(path, status.encode(found))
        except FileNotFoundError:
            store.private_folder(paths.status_dir(self.home))
            store.replace(path, status.encode(found))
        self.statuses[found.session_id], self._told[found.session_id] = found, now

    def _withdraw(self, name: str) -> None:
        if name in self.sessions:
            self.sessions[name].status = None
        if self.statuses.pop(name, None) is not None:
            store.remove(paths.status(self.home, name))

    def _forget(self, name: str) -> None:
        self._withdraw(name)
        session = self.sessions.pop(name, None)
        self._told.pop(name, None)
        if session:
            self._by_pid.get(session.pid or 0, set()).discard(name)
            self._origins.pop(session.pid or 0, None)

    def _remove_leftovers(self) -> None:
        """Files of an earlier watcher that nobody vouches for any more, and ours that somebody removed."""
        folder = paths.status_dir(self.home)
        ours = {os.path.basename(paths.status(self.home, name)): name for name in self.statuses}
        there = set(store.names(folder))
        for name in there - set(ours):
            store.remove(f"{folder}/{name}")
        for name in set(ours) - there:
            self.statuses.pop(ours[name])


def _begun(session: Session) -> tuple[bool, float, float]:
    main = session.main
    if main is None:
        return (True, 0.0, 0.0)
    started = main.started[1] if main.started else 0.0
    return (main.ended is None, started, main.last.at[1] if main.last and main.last.at else 0.0)


def _without_evidence(found: SessionStatus) -> SessionStatus:
    return replace(found, agents=tuple(replace(agent, weighed=()) for agent in found.agents))
