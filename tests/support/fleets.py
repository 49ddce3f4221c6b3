"""Two machines of one test: a box with agents, and a desk that shows them; each is a state folder of its own."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from contract import broker_connections, paths
from fleet.broker_hosts import BrokerHosts
from fleet.broker_publisher import BrokerPublisher
from fleet.share_settings import Sharing
from fleet.sources import Source
from statusbar.model import reader
from support.patience import until
from support.showing import just_now, put, watcher

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from contract.hosts import Host
    from contract.status import SessionStatus
    from statusbar.model.snapshot import Statuses
    from support.brokers import Broker


class Box:
    """A machine that shares. Its watcher is well."""

    def __init__(self, home: Path, broker: Broker, host: str = "box", **more: Any) -> None:
        self.home = home
        self.sharing = Sharing(more.pop("url", broker.url), "me", host, **more)

    def has(self, **states: str) -> None:
        put(self.home, *(just_now(id_, state) for id_, state in states.items()))

    def loses(self, id_: str) -> None:
        (self.home / "status" / f"{id_}.json").unlink()

    def share(self, **more: Any) -> BrokerPublisher:
        return BrokerPublisher(str(self.home), self.sharing, **more)

    @property
    def connection(self) -> broker_connections.ConnectionState:
        return broker_connections.read(str(self.home), "") or broker_connections.ConnectionState("")


class Desk:
    """A machine that shows what others share."""

    def __init__(self, home: Path, broker: Broker, **more: Any) -> None:
        home.mkdir(exist_ok=True)
        self.home = home
        given = {"name": "hub", "broker": more.pop("url", broker.url), "owner": "me", **more}
        self.source = Source(**given)

    def watch(self, **more: Any) -> BrokerHosts:
        return BrokerHosts(str(self.home), self.source, **more)

    @property
    def statuses(self) -> Statuses:
        return reader.read(str(self.home), hosts=True)

    @property
    def sessions(self) -> dict[str, SessionStatus]:
        return {one.session_id: one for one in self.statuses.sessions}

    @property
    def states(self) -> dict[str, str]:
        return {id_: one.status for id_, one in self.sessions.items()}

    @property
    def hosts(self) -> dict[str, Host]:
        return {host.name: host for host in self.statuses.hosts}

    @property
    def connection(self) -> broker_connections.ConnectionState:
        return broker_connections.read(str(self.home), self.source.name) or broker_connections.ConnectionState("")

    @property
    def files(self) -> set[str]:
        """Below the folder of other machines, but for the log of what has changed."""
        folder = self.home / "hosts"
        found = {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}
        return {str(path) for path in found if not path.name.startswith("observations.jsonl")}

    def keeps(self, *files: str) -> None:
        """These and no others: a machine's files are written and removed one by one."""
        until(lambda: self.files == set(files), lambda: f"{files}; {self.files}")

    def shows(self, states: dict[str, str], host: str = "box") -> None:
        """These sessions and no others, and that this is so now."""
        until(lambda: self.states == states and self.speaks(host), lambda: f"{states}; {self.states} {self.hosts}")

    def speaks(self, host: str) -> bool:
        return host in self.hosts and self.hosts[host].speaks

    def misses(self, host: str, why: str = "") -> None:
        until(
            lambda: host in self.hosts and not self.hosts[host].reached and why in self.hosts[host].why,
            lambda: f"{host} {why!r}; {self.hosts}",
        )


@contextlib.contextmanager
def watched(*boxes: Box) -> Iterator[None]:
    with contextlib.ExitStack() as stack:
        for box in boxes:
            stack.enter_context(watcher(box.home))
        yield


def log(home: Path) -> str:
    path = paths.collector_log(str(home))
    with contextlib.suppress(OSError), open(path, encoding="utf-8") as file:
        return file.read()
    return ""
