"""What the client says of itself: `<config>/sessions/<pid>.json`, one file for each running client.

Its content is undocumented, so every field may be missing or of another type. The `.key` files beside hold
secrets: a name that is not a number and `.json` is never opened.
"""

from __future__ import annotations

import os
import re
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from contract import store, wire
from contract.clean import clean
from processes.identity import Identity
from processes.table import Probe
from watcher.clients.base import Entry
from watcher.files import small_file

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping

    from processes.process import Proc


PANE = re.compile(r"%[0-9]{1,9}\Z")
NAME = re.compile(r"[1-9][0-9]{0,9}\.json")
INFRASTRUCTURE = ("daemon", "daemon-worker")
LARGEST = 1 << 16
LONGEST_PATH = 4096
SETTLED_S = 0.1
LATEST_MS = 1e14
AT_ONCE = 512  # as many files of processes that cannot be seen as a look asks for
# Two changes in one tick of the file system's clock leave the same time; some clocks tick in seconds.
UNSETTLED_S = 2.0
NOBODY: Mapping[str, int | None] = MappingProxyType({})


NOT_SURE = None, None


class _Kept(NamedTuple):
    path: str
    signature: tuple[int, int, int] | None  # None: to be read again
    entry: Entry | None


def decode(data: bytes) -> Entry | None:
    """None for anything that does not name a process and its session."""
    try:
        raw = wire.decode(data)
    except ValueError:
        return None
    if not isinstance(raw, dict):
        return None
    pid, session = raw.get("pid"), _text(raw.get("sessionId"), 200)
    if type(pid) is not int or pid <= 0 or not session:
        return None
    return Entry(
        pid=pid,
        session_id=session,
        cwd=_path(raw.get("cwd")),
        proc_start=_text(raw.get("procStart"), 64),
        status=_text(raw.get("status"), 40),
        waiting_for=_text(raw.get("waitingFor"), 80),
        status_at=_seconds(raw.get("statusUpdatedAt")),
        started_at=_seconds(raw.get("startedAt")),
        entrypoint=_text(raw.get("entrypoint"), 40),
        # Of a session in the background the name is the beginning of its prompt.
        title=clean(raw.get("name"), 120) if raw.get("kind") == "interactive" else "",
        has_session=raw.get("spare") is not True and raw.get("kind") not in INFRASTRUCTURE,
        pane=_pane(raw.get("tmux")),
    )


class Registry:
    """One folder of entries; a file is read again only when it changed.

    Clients that were killed leave their files behind, and the pid is the name: without a process of that pid nothing
    needs to be read. So a look is as dear as there are clients that live, however many files there are.
    """

    def __init__(self, folder: str, probe: Probe | None = None) -> None:
        self._folder, self._probe = folder, probe or Probe()
        self._listed: tuple[tuple[int, int, int] | None, float] = (None, 0.0)  # as the folder was, and when
        self._names: set[str] = set()  # all that lie there
        self._pids: dict[int, None] = {}  # those of them that are pids, the next to be looked for first
        self._kept: dict[int, _Kept] = {}
        self._live: dict[int, Entry] = {}
        self._sure: dict[int, tuple[_Kept, Proc | OSError | None]] = {}  # with the process that it is surely of
        self._entries: tuple[Entry, ...] | None = ()

    def read(self, now: float, elsewhere: Mapping[str, int | None] = NOBODY) -> tuple[Entry, ...]:
        """The clients that are not proven gone, by pid.

        `elsewhere`: sessions whose pids mean nothing here, with these pids. The same tuple as long as nothing changed.
        """
        self._list(now)
        there = self._probe.pids()
        named = (there | {pid for pid in elsewhere.values() if pid}) & self._pids.keys()
        return self.read_some({*self._kept, *named, *self._hidden(there)}, now, elsewhere)

    def read_some(
        self, pids: Iterable[int], now: float, elsewhere: Mapping[str, int | None] = NOBODY
    ) -> tuple[Entry, ...]:
        """The same, where only these may have changed."""
        for pid in self._changed(pids):
            self._look(pid, now, elsewhere)
        if self._entries is None:
            self._entries = tuple(self._live[pid] for pid in sorted(self._live) if self._live[pid].has_session)
        return self._entries

    def refresh(self, pid: int, now: float) -> Entry | None:
        """What this client says at this moment; None if it says nothing any more."""
        kept = self._current(pid, now)
        if kept:
            self._kept[pid] = kept
        return kept.entry if kept else None

    def _list(self, now: float) -> None:
        """The names, where the folder changed since they were listed. No folder is no client."""
        signature, listed_at = self._listed
        found = store.signature_of(self._folder)
        if found and found == signature and found[0] / 1e9 < listed_at - UNSETTLED_S:
            return
        names = set(_names(self._folder))
        for name in self._names - names:
            self._pids.pop(_pid(name), None)
        self._pids |= dict.fromkeys(pid for name in names - self._names if (pid := _pid(name)))
        self._names, self._listed = names, (found, now)

    def _hidden(self, there: Container[int]) -> list[int]:
        """Of those whose process cannot be seen, the next ones that are not proven gone: they may be hidden."""
        turn = list(islice(self._pids, AT_ONCE))
        for pid in turn:
            self._pids[pid] = self._pids.pop(pid)
        return [pid for pid in turn if pid not in there and not self._is_gone(pid, None)]

    def _changed(self, pids: Iterable[int]) -> list[int]:
        """Without those whose file and process are the same: told by one `stat`, as there may be a thousand."""
        sure, rows, found_now = self._sure, self._probe.rows, self._probe.found
        changed = []
        for pid in pids:
            kept, process = sure.get(pid, NOT_SURE)
            if (
                kept is None
                or process is not (rows.get(pid) or found_now(pid))
                or (found := small_file.info(kept.path)) is None
                or (found.st_mtime_ns, found.st_size, found.st_ino) != kept.signature
            ):
                changed.append(pid)
        return changed

    def _look(self, pid: int, now: float, elsewhere: Mapping[str, int | None]) -> None:
        kept = self._current(pid, now)
        entry = kept.entry if kept else None
        if entry and entry is self._live.get(pid) and self._probe.identity(pid, entry.proc_start) is Identity.SAME:
            if kept and kept is self._kept.get(pid):
                self._sure[pid] = kept, self._probe.rows.get(pid)
            return
        is_gone = entry is None or (entry.session_id not in elsewhere and self._is_gone(pid, entry.proc_start))
        if kept and not (is_gone and pid not in self._probe.pids()):
            self._kept[pid] = kept
        else:
            self._kept.pop(pid, None)
            self._sure.pop(pid, None)
        self._show(pid, None if is_gone else entry)

    def _show(self, pid: int, entry: Entry | None) -> None:
        if self._live.get(pid) is entry:
            return
        self._entries = None
        if entry:
            self._live[pid] = entry
        else:
            del self._live[pid]

    def _current(self, pid: int, now: float) -> _Kept | None:
        """None for what is no regular file."""
        old = self._kept.get(pid)
        path = old.path if old else f"{self._folder}/{pid}.json"
        found = small_file.info(path)
        if found is None:
            return None
        signature = store.signature(found)
        if old and old.signature == signature:
            return old
        entry = decode(small_file.read(path, LARGEST))
        entry = entry if entry and entry.pid == pid else None
        if entry is None:
            # Half a write: what was true a moment ago is better than nothing until the next look.
            return _Kept(path, None, old.entry if old else None)
        # Two writes within one tick of the disk's clock look the same when they are of the same length.
        return _Kept(path, signature if now - found.st_mtime > SETTLED_S else None, entry)

    def _is_gone(self, pid: int, start: str | None) -> bool:
        return self._probe.identity(pid, start) is Identity.GONE


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _pid(name: str) -> int:
    """0 for a name that is not that of an entry."""
    return int(name.removesuffix(".json")) if NAME.fullmatch(name) else 0


def pid_of(path: str) -> int:
    """Whose file this is; 0 if it is none of an entry."""
    return _pid(path.rpartition("/")[2])


def _text(raw: Any, limit: int) -> str | None:
    return clean(raw, limit) or None


def _pane(raw: Any) -> str:
    """Of `session:window.pane`; a session's name may hold anything."""
    found = PANE.search(raw) if isinstance(raw, str) else None
    return found[0] if found else ""


def _path(raw: Any) -> str:
    """As it is, since it is compared with other paths; '' where it could not be written down again."""
    return raw if isinstance(raw, str) and len(raw) <= LONGEST_PATH and _encodes(raw) else ""


def _encodes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _seconds(raw: Any) -> float | None:
    return raw / 1000 if type(raw) in (int, float) and 0 < raw < LATEST_MS else None
