"""The process that brings the statuses of other machines: one for each state folder, as long as there are machines."""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from typing import TYPE_CHECKING, Protocol

from contract import broker_lines, hosts, paths, status, store, version
from contract.broker_lines import BrokerLine
from contract.status import Heartbeat
from fleet import mirror, share_settings, sources
from fleet.broker_extra import lacking
from fleet.command_host import CommandHost
from fleet.mirror import Mirror
from processes.identity import start_of

if TYPE_CHECKING:
    from fleet.share import Share
    from fleet.share_settings import Sharing
    from fleet.sources import Source
    from fleet.topics import Place

log = logging.getLogger("yourturn")

LOOK_S, BEAT_S = 0.5, 10.0
PATIENCE_S = 5.0  # for the lines to end


class Kept(Protocol):
    """One source, at work in a thread of its own."""

    source: Source
    own: Place | None  # where this machine itself writes, on a broker
    reserved: frozenset[str]  # names of machines that a command brings: no broker may take them

    def start(self) -> None: ...
    def stop(self) -> None: ...
    def join(self, timeout: float | None = None) -> None: ...
    def remove(self) -> None: ...


class Collector:
    def __init__(self, home: str, path: str, lock: int) -> None:
        """`path`: the file that names the machines; beside it is the one that says where this machine is shared."""
        self._home, self._path, self._lock = home, path, lock
        self._shared = hosts.shared(path)
        self._sharing: Sharing | None = None
        self._sharer: Share | None = None
        self._over = threading.Event()
        self._kept: dict[str, Kept] = {}
        self._mark: object = ()
        self._beat_at = -BEAT_S
        self._code = store.signature_of(version.__file__)

    def run(self) -> None:
        """Until it is asked to end, the last machine is removed, or its place is taken."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda _number, _frame: self._over.set())
        store.private_folder(paths.hosts_dir(self._home))
        # Else what its predecessor said a moment ago would pass for its own word.
        store.remove(paths.collector(self._home))
        self._forget_others()
        try:
            while not self._over.is_set() and self._is_needed():
                self._beat(time.monotonic())
                self._over.wait(LOOK_S)
        finally:
            self._end_sharing(takes_back=False)
            self._end(list(self._kept.values()))
            if self._is_in_place():
                store.remove(paths.collector(self._home))

    def _is_needed(self) -> bool:
        if not self._is_in_place() or store.signature_of(version.__file__) != self._code:
            log.info("the state folder was made anew, or another version is installed: this collector ends")
            return False
        mark = store.signature_of(self._path), store.signature_of(self._shared)
        if mark != self._mark:
            self._mark = mark
            self._take_up()
        return bool(self._kept) or any(mark)

    def _take_up(self) -> None:
        """What hosts.toml and share.toml say now. While one cannot be read, everything stays as it is."""
        try:
            wanted, sharing = sources.load(self._path), share_settings.load(self._shared)
        except sources.Wrong as error:
            log.warning("%s", error)
            return
        self._share(sharing)
        gone = [kept for name, kept in self._kept.items() if wanted.get(name) != kept.source or self._is_moved(kept)]
        self._end(gone)
        for kept in gone:
            kept.remove()
            del self._kept[kept.source.name]
        names = frozenset(name for name, source in wanted.items() if source.command)
        for name, source in wanted.items():
            if name not in self._kept:
                self._begin(source, names)
        for kept in self._kept.values():
            kept.reserved = names

    def _begin(self, source: Source, names: frozenset[str]) -> None:
        """Where its folder cannot be made, as on a full disk, it is tried again at the next look."""
        try:
            made = self._made(source)
        except OSError as error:
            log.warning("%s: %s", source.name, error)
            self._mark = ()
            return
        if made:
            self._kept[source.name] = made
            made.reserved = names
            made.start()

    def _made(self, source: Source) -> Kept | None:
        """None without the package that speaks to brokers."""
        if source.command:
            return CommandHost(self._home, source)
        if lacks := lacking():
            self._cannot(BrokerLine(source.name, source.broker, since=time.time(), why=lacks))
            return None
        from fleet.broker_hosts import BrokerHosts  # noqa: PLC0415 - needs a package that not everybody has

        return BrokerHosts(self._home, source, self._own(source))

    def _own(self, source: Source) -> Place | None:
        """Where this machine itself writes, on this broker."""
        sharing = self._sharing
        return sharing.place if sharing and sharing.broker == source.broker else None

    def _is_moved(self, kept: Kept) -> bool:
        return bool(kept.source.broker) and kept.own != self._own(kept.source)

    def _share(self, sharing: Sharing | None) -> None:
        if sharing == self._sharing:
            return
        self._end_sharing(takes_back=True)
        self._sharing = sharing
        if sharing is None:
            return
        if lacks := lacking():
            self._cannot(BrokerLine("", sharing.broker, since=time.time(), why=lacks, chosen=self._path))
            return
        from fleet.share import Share  # noqa: PLC0415 - as above

        self._sharer = Share(self._home, sharing, chosen=self._path)
        self._sharer.start()

    def _end_sharing(self, *, takes_back: bool) -> None:
        sharer, self._sharer = self._sharer, None
        if sharer:
            sharer.stop(takes_back=takes_back)
            sharer.join(PATIENCE_S)
        if takes_back:
            broker_lines.remove(self._home, "")

    def _cannot(self, line: BrokerLine) -> None:
        log.warning("%s", line.why)
        broker_lines.write(self._home, line)

    def _forget_others(self) -> None:
        """Folders of machines that were removed while no collector ran."""
        try:
            wanted = sources.load(self._path)
        except sources.Wrong as error:
            self._know_nothing(str(error))
            return
        ways = {source.way for source in wanted.values() if source.broker}
        own = {paths.file_name(name) for name, source in wanted.items() if source.command}
        for name in hosts.names(self._home):
            folder = f"{paths.hosts_dir(self._home)}/{name}"
            there = hosts.read(folder)
            if name not in own and not (there and there.source in ways):
                mirror.remove_folder(self._home, folder)
        for name in store.names(paths.brokers_dir(self._home)):
            store.remove(f"{paths.brokers_dir(self._home)}/{name}")

    def _know_nothing(self, why: str) -> None:
        """Nobody asks them as long as hosts.toml cannot be read: what was heard before is no longer true."""
        for name in hosts.names(self._home):
            before = hosts.read(f"{paths.hosts_dir(self._home)}/{name}")
            if before:
                Mirror(self._home, before.name, before.source, time.time()).goes_out_of_reach(why, time.time())

    @staticmethod
    def _end(kept: list[Kept]) -> None:
        for one in kept:
            one.stop()
        deadline = time.monotonic() + PATIENCE_S
        for one in kept:
            one.join(max(deadline - time.monotonic(), 0.0))

    def _is_in_place(self) -> bool:
        try:
            return os.path.samestat(os.fstat(self._lock), os.stat(paths.collector_lock(self._home)))
        except OSError:
            return False

    def _beat(self, now: float) -> None:
        if now - self._beat_at < BEAT_S:
            return
        self._beat_at, pid = now, os.getpid()
        beat = Heartbeat(pid, start_of(pid) or "", version.VERSION, time.time(), mode="service")
        try:
            store.replace(paths.collector(self._home), status.encode(beat))
        except OSError as error:
            log.warning("heartbeat: %s", error)
