"""What the client says of itself: `open-sessions-state.json`, the sessions that are open and whether each works.

It names no process: that one has a lock, `session-state/<session>/inuse.<pid>.lock`. A client that was killed leaves
both behind, and one that is interrupted right after a prompt may go on to say that it works. All of this is
undocumented, so every field may be missing or of another type.
"""

from __future__ import annotations

import os
import re
import stat
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from contract import wire
from contract.clean import clean
from contract.clients.copilot import OPEN_SESSIONS, SESSIONS
from contract.store import signature
from processes.identity import Identity
from watcher.clients.base import Entry
from watcher.files import small_file
from watcher.files.records import seconds

if TYPE_CHECKING:
    from processes.table import Probe
    from watcher.clock import Clock

LARGEST, LARGEST_NOTE = 1 << 20, 1 << 14
MOST = 256  # sessions, the newest first: those of killed clients stay
MOST_NAMES = 1024  # in the folder of one session
LONGEST_PATH = 4096
# Two changes in one tick of the file system's clock leave the same time.
SETTLED_S = 0.1
# It is written so long after the prompt that began the work; a person may have interrupted that since.
WRITTEN_S = 0.3
STRANGER_S = 2.0  # a process that began so long after its lock was made is another one with its pid
SESSION = re.compile(r"[A-Za-z0-9_-]{1,128}")
LOCK = re.compile(r"inuse\.([1-9][0-9]{0,9})\.lock")


class Session(NamedTuple):
    """One that is open, as the client lists it."""

    id: str
    is_working: bool | None  # None: it does not say
    opened_at: float | None  # seconds, wall clock
    refreshed_at: float | None


class Workspace(NamedTuple):
    """The client's note on a session."""

    cwd: str = ""
    title: str = ""  # only if a person chose it


class OpenSessions:
    """Read again only when it changed; the locks are looked for at every look, as one may come a while later."""

    def __init__(self, folder: str, probe: Probe, clock: Clock) -> None:
        self.path, self._folder, self._probe = f"{folder}/{OPEN_SESSIONS}", f"{folder}/{SESSIONS}", probe
        self._clock = clock
        self._signature: tuple[int, int, int] | None = None
        self._sessions: tuple[Session, ...] = ()
        self._since: dict[str, tuple[bool | None, float | None]] = {}  # what it says, and since when
        self._workspaces: dict[str, tuple[tuple[int, int, int], Workspace]] = {}
        self._entries: tuple[Entry, ...] = ()

    def read(self, now: float) -> tuple[Entry, ...]:
        """Of processes that are not proven gone, the oldest first. The same tuple as long as nothing changed."""
        self._look(now)
        entries = tuple(entry for session in self._sessions for entry in self._entries_of(session))
        if entries != self._entries:
            self._entries = entries
        return self._entries

    def _look(self, now: float) -> None:
        found = small_file.info(self.path)
        if found is None:
            self._signature, self._sessions, self._since = None, (), {}
            return
        if signature(found) == self._signature:
            return
        sessions = decode(small_file.read(self.path, LARGEST))
        if sessions is None:
            return  # half a write: what was true a moment ago is better than nothing until the next look
        self._sessions = sessions
        self._since = {session.id: self._held(session) for session in sessions}
        self._signature = signature(found) if now - found.st_mtime > SETTLED_S else None

    def _held(self, session: Session) -> tuple[bool | None, float | None]:
        """It may be written anew without a change: what it says holds since it was first said."""
        known = self._since.get(session.id)
        if known and known[0] == session.is_working:
            return known
        at = session.refreshed_at
        return session.is_working, at - WRITTEN_S if at and session.is_working else at

    def _entries_of(self, session: Session) -> list[Entry]:
        folder = f"{self._folder}/{session.id}"
        pids = [pid for pid, locked_at in _locks(folder) if not self._is_gone(pid, locked_at)]
        if not pids:
            return []
        note = self._workspace(folder)
        status = None if session.is_working is None else "busy" if session.is_working else "idle"
        entry = Entry(
            pids[0],
            session.id,
            cwd=note.cwd,
            status=status,
            status_at=self._since[session.id][1],
            started_at=session.opened_at,
            title=note.title,
            tells_dialogs=False,
            may_hang=True,
        )
        return [replace(entry, pid=pid, proc_start=self._probe.start_of(pid)) for pid in pids]

    def _is_gone(self, pid: int, locked_at: float) -> bool:
        """Or another process has its pid now."""
        if self._probe.identity(pid, None) is Identity.GONE:
            return True
        process = self._probe.process(pid)
        return process is not None and process.began > self._since_boot(locked_at) + STRANGER_S

    def _since_boot(self, wall: float) -> float:
        return self._clock.since_boot(wall, self._clock.tick())

    def _workspace(self, folder: str) -> Workspace:
        path = f"{folder}/workspace.yaml"
        found = small_file.info(path)
        if found is None:
            return Workspace()
        known = self._workspaces.get(path)
        if known is None or known[0] != signature(found):
            known = self._workspaces[path] = signature(found), workspace(small_file.read(path, LARGEST_NOTE))
        for old in list(self._workspaces)[:-MOST]:
            del self._workspaces[old]
        return known[1]


def decode(data: bytes) -> tuple[Session, ...] | None:
    """By the time they were opened; None for anything that is no list of sessions."""
    try:
        raw = wire.decode(data)
    except ValueError:
        return None
    if not isinstance(raw, dict):
        return None
    sessions = [_session(id_, told) for id_, told in raw.items() if SESSION.fullmatch(id_) and isinstance(told, dict)]
    return tuple(sorted(sessions, key=lambda session: (session.opened_at or 0.0, session.id))[-MOST:])


def _session(id_: str, told: dict[str, Any]) -> Session:
    working = told.get("working")
    is_working = working if isinstance(working, bool) else None
    return Session(id_, is_working, seconds(told.get("openedAt")), seconds(told.get("refreshedAt")))


def workspace(data: bytes) -> Workspace:
    """Of the lines of a small YAML file those that hold a plain word."""
    lines = [line.partition(": ") for line in data.decode("utf-8", "replace").splitlines()]
    told = {key: value for key, sep, value in lines if sep}
    cwd, name = told.get("cwd", ""), told.get("name", "")
    is_plain = cwd.startswith("/") and len(cwd) <= LONGEST_PATH and "\ufffd" not in cwd
    return Workspace(cwd if is_plain else "", clean(name, 120) if told.get("user_named") == "true" else "")


def _locks(folder: str) -> list[tuple[int, float]]:
    """The processes that have the session open, and when each took it; a file that is a link is none."""
    try:
        with os.scandir(folder) as files:
            named = [(LOCK.fullmatch(file.name), file) for file in islice(files, MOST_NAMES)]
            found = [(lock[1], file.stat(follow_symlinks=False)) for lock, file in named if lock]
    except OSError:
        return []
    return sorted((int(pid), info.st_mtime) for pid, info in found if stat.S_ISREG(info.st_mode))
