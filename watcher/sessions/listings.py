"""The sessions that the clients list themselves, in all of their folders."""

from __future__ import annotations

from typing import TYPE_CHECKING

from watcher.clients import DEFAULT, adapters
from watcher.clients.base import Listed
from watcher.clients.hooks_only import UNKNOWN
from watcher.sessions.same_objects import same_objects
from watcher.sessions.twins import entries_by_session

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from contract.facts import Fact
    from processes.table import Probe
    from watcher.clients.base import Adapter, Entry, Folder, Member
    from watcher.clock import Clock


class Listings:
    def __init__(self, env: Mapping[str, str], probe: Probe, clock: Clock) -> None:
        self._probe, self._clock = probe, clock
        self._adapters = adapters()
        self._folders: dict[str, tuple[Adapter, Folder]] = {}
        for adapter in self._adapters.values():
            self.open(adapter, adapter.default_folder(env))
        self.sessions: dict[str, Listed] = {}
        self._read: tuple[dict[str, tuple[Entry, ...]], int] = ({}, -1)  # as read last, with the version of the facts

    def open(self, adapter: Adapter, folder: str) -> None:
        if folder and folder not in self._folders:
            self._folders[folder] = adapter, adapter.open(folder, self._probe, self._clock)

    def adapter_of(self, facts: Mapping[str, Fact]) -> Adapter:
        """Of the client that these facts are of."""
        name = next((fact.client_name for fact in facts.values()), DEFAULT)
        return self._adapters.get(name, UNKNOWN)

    @property
    def watched(self) -> set[str]:
        """The folders whose file events matter."""
        return set[str]().union(*(folder.watched for _, folder in self._folders.values()))

    def concerned(self, path: str) -> tuple[str, set[int]] | None:
        """The client's folder that lists processes in this file, and which of them it is about; none of them: any."""
        answers = ((name, folder.concerns(path)) for name, (_, folder) in self._folders.items())
        return next(((name, pids) for name, pids in answers if pids is not None), None)

    def read(
        self,
        wall: float,
        elsewhere: Mapping[str, int | None],
        facts: tuple[Mapping[str, Mapping[str, Fact]], int],
        some: Mapping[str, set[int]] | None = None,
    ) -> set[str]:
        """The sessions whose entry changed. `facts` with their version; `some`: by folder, what may have changed."""
        read = {
            name: folder.entries(wall, elsewhere, None if some is None else some.get(name, ()))
            for name, (_, folder) in self._folders.items()
        }
        known, self._read = self._read, (read, facts[1])
        if known[1] == facts[1] and same_objects(known[0], read):
            return set()
        before, self.sessions = self.sessions, dict(self._listed(read, facts[0]))
        return {name for name in {*before, *self.sessions} if before.get(name) != self.sessions.get(name)}

    def _listed(
        self, read: Mapping[str, tuple[Entry, ...]], facts: Mapping[str, Mapping[str, Fact]]
    ) -> Iterable[tuple[str, Listed]]:
        for folder, entries in read.items():
            adapter, _ = self._folders[folder]
            for name, entry in entries_by_session(entries, facts).items():
                yield name, Listed(adapter, folder, entry)

    def leave_out(self, folder: str, pid: int | None) -> bool:
        """Whether the client lists processes in this folder, and not this one. An old client may list none."""
        entries = self._read[0].get(folder, ())
        return bool(entries) and all(entry.pid != pid for entry in entries)

    def refreshed(self, name: str, wall: float) -> Listed | None:
        """As it is listed at this very moment: what brought us here may have come before the event of its file."""
        listed = self.sessions.get(name)
        if listed is None or listed.entry is None:
            return listed
        fresh = self._folders[listed.folder][1].refresh(listed.entry, wall)
        if fresh and fresh.session_id == listed.entry.session_id:
            listed = self.sessions[name] = listed._replace(entry=fresh)
        return listed

    def lists_all_since(self, folder: str, wall: float) -> bool:
        """Whether the client has listed every session of its host since then."""
        found = self._folders.get(folder)
        return found is not None and found[1].complete_at > wall

    def heard(self, adapter: Adapter, wall: float) -> None:
        """A hook of this client has told something."""
        for known, folder in self._folders.values():
            if known is adapter:
                folder.heard(wall)

    def rest(self, wall: float) -> float | None:
        """Seconds until a client may list others, though no file tells."""
        rests = [rest for _, folder in self._folders.values() if (rest := folder.rest(wall)) is not None]
        return min(rests, default=None)

    def members(self) -> dict[str, tuple[Member, ...]]:
        """The teams that the clients list, by folder."""
        return {name: folder.members() for name, (_, folder) in self._folders.items()}

    def team_open_since(self) -> float | None:
        times = [at for _, folder in self._folders.values() if (at := folder.team_open_since()) is not None]
        return max(times, default=None)
