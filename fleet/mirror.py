"""The folder of one host: its sessions as status files like our own, and what is known of the host itself.

One writer: whoever holds the collector's lock. `host.json` is replaced after the statuses, because front ends look at
nothing else to see whether something is new.
"""

from __future__ import annotations

import os
import shutil
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from contract import hosts, paths, status, store
from contract.clean import clean
from contract.hosts import Host
from fleet import host_observations

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable

    from contract.status import SessionStatus
    from fleet.incoming import Report

WHY = 200
LEFT_OUT = "{} of its sessions could not be read, or were too many"
NOT_YET = "it has not answered yet"


class _Written(NamedTuple):
    """A file, without what is in it: there may be tens of thousands."""

    size: int = 0
    digest: bytes = b""


def tell(home: str) -> None:
    """Front ends wait for this file."""
    store.replace(f"{paths.hosts_dir(home)}/{hosts.NEWS}", b"{}\n")


class Mirror:
    def __init__(self, home: str, name: str, source: str, now: float, tell: Callable[[str], None] = tell) -> None:
        """What was heard of it before stays, as something old, until it speaks. `tell`: how front ends are told."""
        self._home, self._tell = home, tell
        self.folder = paths.host_dir(home, name)
        store.private_folder(f"{self.folder}/status")
        for half in store.names(f"{self.folder}/status", ".json.tmp"):
            store.remove(f"{self.folder}/status/{half}")
        self._written = dict.fromkeys(store.names(f"{self.folder}/status"), _Written())
        self.size = 0  # bytes of what was written since we are here
        self._news: list[host_observations.Pair] = []  # what is to be noted with the next word of the host
        self.host = _as_before(hosts.read(self.folder), name, source, now)
        self._put_host(self.host)

    @property
    def ahead_s(self) -> float | None:
        """None as long as it has never spoken."""
        return self.host.ahead if self.host.heard else None

    def says(self, told: Report, ahead_s: float, now: float) -> None:
        """All its sessions: what it does not name has ended."""
        changed = self._put(told.sessions)
        why = LEFT_OUT.format(told.left_out) if told.left_out else ""
        if not told.known:
            why = "no watcher keeps its states up to date"
        self._heard(self.host._replace(known=told.known, ahead=ahead_s, version=told.version, why=why), now, changed)

    def puts(self, session: SessionStatus) -> bool:
        """One of its sessions; whether that is new. `settles` tells front ends of it."""
        return self._write(session)

    def drops(self, name: str) -> bool:
        """The session in this file; whether there was one."""
        return name in self._written and self._remove(name)

    def keeps(self, names: Container[str]) -> bool:
        """Of its sessions only those in these files; whether there were others."""
        gone = [name for name in self._written if name not in names]
        for name in gone:
            self._remove(name)
        return bool(gone)

    def settles(self, said: Host, now: float, *, changed: bool) -> None:
        """After some of `puts`, `drops` and `keeps`, with what the host says of itself: front ends look again."""
        self._heard(said, now, changed)

    def goes_out_of_reach(self, why: str, now: float, since: float | None = None) -> None:
        """`since` is when it went, if that is known."""
        since = since or (now if self.host.reached else self.host.since)
        gone = self.host._replace(reached=False, known=False, since=since, why=clean(why, WHY))
        was_reached = self.host.reached
        if gone != self.host:
            self._put_host(gone)
        if was_reached:
            host_observations.reached(self._home, gone, now)
        if gone.is_forgotten(now) and self._written:
            self._put(())
            self._news.clear()  # nobody knows what became of them
            self._put_host(gone)

    def remove(self) -> None:
        """Nothing of it stays."""
        remove(self._home, self.host.name)

    def _heard(self, said: Host, now: float, changed: bool) -> None:
        since = self.host.since if self.host.reached else now
        new = said._replace(reached=True, since=since, why=clean(said.why, WHY))
        was_reached = self.host.reached
        if changed or new != self.host:
            self._put_host(new._replace(heard=now))
        if not was_reached:
            host_observations.reached(self._home, new, now)
        news, self._news = self._news, []
        host_observations.changed(self._home, self.host.name, news, now)

    def _put(self, sessions: Iterable[SessionStatus]) -> bool:
        """Whether anything is new."""
        wanted = {paths.file_name(one.session_id) + ".json": one for one in sessions}
        new = [self._write(one) for one in wanted.values()]
        return self.keeps(wanted) or any(new)

    def _write(self, session: SessionStatus) -> bool:
        name, data = paths.file_name(session.session_id) + ".json", status.encode(session)
        written = _Written(len(data), blake2b(data, digest_size=16).digest())
        if self._written.get(name) == written:
            return False
        before = self._before(name)
        store.replace(f"{self.folder}/status/{name}", data)
        self._news.append((before, session))
        self.size += written.size - self._written.get(name, _Written()).size
        self._written[name] = written
        return True

    def _before(self, name: str) -> SessionStatus | None:
        """As it was last written. It is read again, because to keep all of them would take much memory."""
        if name not in self._written:
            return None
        return status.decode(store.read(f"{self.folder}/status/{name}") or b"", evidence=False)

    def _remove(self, name: str) -> bool:
        self._news.append((self._before(name), None))
        self.size -= self._written.pop(name, _Written()).size
        return store.remove(f"{self.folder}/status/{name}")

    def _put_host(self, host: Host) -> None:
        store.replace(f"{self.folder}/{hosts.RECORD}", hosts.encode(host))
        self.host = host  # not before: what could not be written is written the next time
        self._tell(self._home)


def _as_before(before: Host | None, name: str, source: str, now: float) -> Host:
    """What was measured of it stays. If it was out of reach, it is so since then: a restart of ours changes nothing."""
    known = before or Host(name)
    since, why = (now, NOT_YET) if known.reached or not known.since else (known.since, known.why)
    return known._replace(source=source, reached=False, known=False, since=since, why=why or NOT_YET)


def remove(home: str, name: str) -> None:
    remove_folder(home, paths.host_dir(home, name))


def remove_folder(home: str, folder: str) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    if os.path.isdir(paths.hosts_dir(home)):
        tell(home)
