"""The sources that are followed, each in a thread of its own: begun and ended as hosts.toml says."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Protocol

from contract import broker_connections
from contract.broker_connections import ConnectionState
from fleet.broker_extra import lacking
from fleet.command_host import CommandHost

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fleet.sources import Source
    from fleet.topics import Place

log = logging.getLogger("yourturn")

PATIENCE_S = 5.0  # for the threads to end


class Follower(Protocol):
    """The thread that follows one source."""

    source: Source
    own: Place | None  # where this machine itself writes, on a broker
    reserved: frozenset[str]  # names of machines that a command brings: no broker may take them

    def start(self) -> None: ...
    def stop(self) -> None: ...
    def join(self, timeout: float | None = None) -> None: ...
    def remove(self) -> None: ...


class Followed:
    def __init__(self, home: str, own_place: Callable[[str], Place | None]) -> None:
        """`own_place`: where this machine itself writes, on the broker of this URL."""
        self._home, self._own_place = home, own_place
        self._followers: dict[str, Follower] = {}

    def __bool__(self) -> bool:
        return bool(self._followers)

    def take_up(self, wanted: Mapping[str, Source]) -> bool:
        """Follow these and no others. Whether all could be begun: on a full disk, try again later."""
        self._drop([follower for follower in self._followers.values() if not self._stays(follower, wanted)])
        reserved = frozenset(name for name, source in wanted.items() if source.command)
        for follower in self._followers.values():
            follower.reserved = reserved
        new = [source for name, source in wanted.items() if name not in self._followers]
        begun = [self._begin(source, reserved) for source in new]
        return all(begun)

    def end(self) -> None:
        """What was heard stays in its folders."""
        _end(list(self._followers.values()))

    def _stays(self, follower: Follower, wanted: Mapping[str, Source]) -> bool:
        source = follower.source
        has_moved = bool(source.broker) and follower.own != self._own_place(source.broker)
        return wanted.get(source.name) == source and not has_moved

    def _drop(self, gone: list[Follower]) -> None:
        _end(gone)
        for follower in gone:
            follower.remove()
            del self._followers[follower.source.name]

    def _begin(self, source: Source, reserved: frozenset[str]) -> bool:
        """False if its folder cannot be made."""
        try:
            made = self._made(source)
        except OSError as error:
            log.warning("%s: %s", source.name, error)
            return False
        if made:
            self._followers[source.name] = made
            made.reserved = reserved
            made.start()
        return True

    def _made(self, source: Source) -> Follower | None:
        """None without the package that speaks to brokers."""
        if source.command:
            return CommandHost(self._home, source)
        if lacks := lacking():
            log.warning("%s", lacks)
            broker_connections.write(
                self._home, ConnectionState(source.name, source.broker, since=time.time(), why=lacks)
            )
            return None
        from fleet.broker_hosts import BrokerHosts  # noqa: PLC0415 - needs a package that not everybody has

        return BrokerHosts(self._home, source, self._own_place(source.broker))


def _end(followers: list[Follower]) -> None:
    for follower in followers:
        follower.stop()
    deadline = time.monotonic() + PATIENCE_S
    for follower in followers:
        follower.join(max(deadline - time.monotonic(), 0.0))
