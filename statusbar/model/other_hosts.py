"""The sessions of other machines, as the collector has brought them, beside those of this one."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from contract import hosts, paths
from statusbar.model.status_folder import StatusFolder

if TYPE_CHECKING:
    from collections.abc import Callable

    from contract.hosts import Host
    from contract.status import SessionStatus
    from statusbar.model.snapshot import Statuses


class OtherHosts:
    def __init__(self, home: str, *, evidence: bool, clock: Callable[[], float] = time.time) -> None:
        self._home, self._evidence, self._clock = home, evidence, clock
        self._known: dict[str, _Folder] = {}

    def beside(self, statuses: Statuses) -> Statuses:
        there = hosts.names(self._home)
        self._known = {name: self._known.get(name) or self._folder(name) for name in there}
        read = [seen for folder in self._known.values() if (seen := folder.read(self._clock()))]
        return statuses._replace(
            sessions=(*statuses.sessions, *(session for seen in read for session in seen.sessions)),
            hosts=tuple(seen.host for seen in read),
            collector=hosts.collector(self._home),
        )

    def _folder(self, name: str) -> _Folder:
        return _Folder(f"{paths.hosts_dir(self._home)}/{name}", evidence=self._evidence)


class _Seen(NamedTuple):
    host: Host
    sessions: tuple[SessionStatus, ...]


class _Folder:
    """One host, read again only when something of it is new."""

    def __init__(self, folder: str, *, evidence: bool) -> None:
        self._folder = folder
        self._statuses = StatusFolder(f"{folder}/status", evidence=evidence)
        self._mark: tuple[int, int, int] | None = None
        self._seen: _Seen | None = None

    def read(self, now: float) -> _Seen | None:
        mark = hosts.mark(self._folder)
        if mark != self._mark or mark is None:
            self._mark, host = mark, hosts.read(self._folder)
            self._seen = _Seen(host, hosts.of_host(self._statuses.read().sessions, host.name)) if host else None
        seen = self._seen
        return seen._replace(sessions=()) if seen and seen.host.is_forgotten(now) else seen
