"""Reads the status files, and those of other machines. Never writes, never crashes because of what they contain."""

from __future__ import annotations

import os

from contract import paths, pulse
from statusbar.model.snapshot import Statuses
from statusbar.model.status_folder import StatusFolder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from statusbar.model.other_hosts import OtherHosts


class Reader:
    def __init__(self, home: str, *, evidence: bool = True, hosts: bool = False) -> None:
        """`hosts`: the sessions of other machines too. Whoever acts on processes must not take those for its own."""
        self.home = home
        self._evidence, self._with_hosts = evidence, hosts
        self._folder = StatusFolder(paths.status_dir(home), evidence=evidence)
        self._hosts: OtherHosts | None = None
        self._last = Statuses()

    def read(self) -> Statuses:
        """The very same object as before if nothing changed."""
        found = self._folder.read()
        watcher = pulse.take(self.home, os.environ)
        statuses = Statuses(
            found.sessions,
            watcher.heartbeat,
            watcher.locked,
            found.trouble,
            f"{self.home}: {found.unusable}" if found.unusable else "",
            watcher.starting,
            watcher.unheard,
        )
        if self._with_hosts and os.path.exists(paths.hosts_dir(self.home)):
            statuses = self._other_hosts().beside(statuses)
        self._last = self._last if statuses == self._last else statuses
        return self._last

    def _other_hosts(self) -> OtherHosts:
        """Whoever has never looked at another machine does not pay for it."""
        if self._hosts is None:
            from statusbar.model.other_hosts import OtherHosts  # noqa: PLC0415 - as above

            self._hosts = OtherHosts(self.home, evidence=self._evidence)
        return self._hosts


def read(home: str, *, evidence: bool = True, hosts: bool = False) -> Statuses:
    return Reader(home, evidence=evidence, hosts=hosts).read()
