"""What the client says of itself: `<config>/sessions/<pid>.json`, one file for each running client.

Its content is undocumented, so every field may be missing or of another type. The `.key` files beside hold
secrets: a name that is not a number and `.json` is never opened.
"""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from contract import paths, store, wire
from contract.clean import clean
from watcher.identity import Identity
from watcher.processes import Probe

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping

    from contract.facts import Fact

PANE = re.compile(r"%[0-9]{1,9}\Z")
NAME = re.compile(r"[1-9][0-9]{0,9}\.json")
LARGEST = 1 << 16
LONGEST_PATH = 4096
SETTLED_S = 0.1
LATEST_MS = 1e14
OPEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Entry:
    """One running client."""

    pid: int
    session_id: str
    cwd: str = ""
    proc_start: str | None = None
    status: str | None = None  # busy, idle, waiting, shell, or what a later client says; None before the first prompt
    waiting_for: str | None = None
    status_at: float | None = None  # seconds, wall clock
    started_at: float | None = None
    kind: str | None = None  # interactive, bg, daemon, daemon-worker
    entrypoint: str | None = None
    name: str | None = None
    version: str | None = None
    spare: bool = False  # started ahead, nobody's session yet
    pane: str = ""  # of tmux, if it runs in one


class _Kept(NamedTuple):
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
        kind=_text(raw.get("kind"), 40),
        entrypoint=_text(raw.get("entrypoint"), 40),
        name=_text(raw.get("name"), 120),
        version=_text(raw.get("version"), 40),
        spare=raw.get("spare") is True,
        pane=_pane(raw.get("tmux")),
    )


class Registry:
    """One folder of entries; a file is read again only when it changed."""

    def __init__(self, folder: str, probe: Probe | None = None) -> None:
        self._folder, self._probe = folder, probe or Probe()
        self._kept: dict[str, _Kept] = {}

    def read(self, now: float, elsewhere: Container[str] = ()) -> tuple[Entry, ...]:
        """The clients that are not proven gone, by pid. `elsewhere`: sessions whose pids mean nothing here."""
        self._kept = {name: self._current(name, found, now) for name, found in self._files()}
        live = [
            entry
            for kept in self._kept.values()
            if (entry := kept.entry) and (entry.session_id in elsewhere or self._lives(entry))
        ]
        return tuple(sorted(live, key=lambda entry: entry.pid))

    def refresh(self, pid: int, now: float) -> Entry | None:
        """What this client says at this moment; None if it says nothing any more."""
        name = f"{pid}.json"
        try:
            found = os.stat(f"{self._folder}/{name}", follow_symlinks=False)
        except OSError:
            return None
        if not stat.S_ISREG(found.st_mode):
            return None
        self._kept[name] = self._current(name, found, now)
        return self._kept[name].entry

    def _files(self) -> list[tuple[str, os.stat_result]]:
        """Regular files with the name of a pid. No folder is no client."""
        try:
            with os.scandir(self._folder) as entries:
                named = [entry for entry in entries if NAME.fullmatch(entry.name)]
        except OSError:
            return []
        return [(entry.name, info) for entry in named if (info := _info(entry))]

    def _current(self, name: str, found: os.stat_result, now: float) -> _Kept:
        old = self._kept.get(name)
        signature = store.signature(found)
        if old and old.signature == signature:
            return old
        entry = self._load(name)
        if entry is None:
            # Half a write: what was true a moment ago is better than nothing until the next look.
            return _Kept(None, old.entry if old else None)
        # Two writes within one tick of the disk's clock look the same when they are of the same length.
        return _Kept(signature if now - found.st_mtime > SETTLED_S else None, entry)

    def _lives(self, entry: Entry) -> bool:
        return self._probe.identity(entry.pid, entry.proc_start) is not Identity.GONE

    def _load(self, name: str) -> Entry | None:
        entry = decode(_read(f"{self._folder}/{name}"))
        return entry if entry and name == f"{entry.pid}.json" else None


def entries_by_session(entries: Iterable[Entry], facts: Mapping[str, Mapping[str, Fact]]) -> dict[str, Entry]:
    """Each under the name that the facts of its process have; two processes may have the same session open."""
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        found.setdefault(entry.session_id, []).append(entry)
    return {name: entry for session, those in found.items() for name, entry in _named(session, those, facts)}


def _named(session: str, entries: list[Entry], facts: Mapping[str, Mapping[str, Fact]]) -> Iterator[tuple[str, Entry]]:
    main = facts.get(session, {}).get(paths.MAIN)
    pid = main.client.pid if main and main.client else 0
    first = next((one.pid for one in entries if one.pid == pid), 0)
    for entry in sorted(entries, key=lambda one: (one.started_at or 0.0, one.pid)):
        twin = paths.twin(session, entry.pid)
        first = first or (entry.pid if twin not in facts else 0)
        yield session if entry.pid == first else twin, entry


def _info(entry: os.DirEntry[str]) -> os.stat_result | None:
    try:
        info = entry.stat(follow_symlinks=False)
    except OSError:
        return None
    return info if stat.S_ISREG(info.st_mode) else None


def _read(path: str) -> bytes:
    """Nothing for a file that is gone, too large, or no file at all by now."""
    try:
        fd = os.open(path, OPEN)
    except OSError:
        return b""
    try:
        data = os.read(fd, LARGEST + 1) if stat.S_ISREG(os.fstat(fd).st_mode) else b""
        return data if len(data) <= LARGEST else b""
    except OSError:
        return b""
    finally:
        os.close(fd)


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
