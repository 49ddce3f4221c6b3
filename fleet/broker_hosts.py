"""All machines that a broker tells of: who is there, by which name each is shown, and what is left out."""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from typing import TYPE_CHECKING

from contract import broker_connections, fault, hosts, paths
from contract.broker_connections import ConnectionState
from fleet import mirror, topics, total
from fleet.broker_connection import BrokerConnection, Way, Will
from fleet.broker_host import BrokerHost, Shown
from fleet.mirror import NOT_YET
from fleet.sources import ANY, NAME
from fleet.topics import Place

if TYPE_CHECKING:
    from collections.abc import Callable

    from fleet.broker_connection import Message
    from fleet.sources import Source

log = logging.getLogger("yourturn")

HOSTS = 2000
TOGETHER_S, COALESCE_S = 0.05, 0.002  # many messages become one change of a folder; the first does not wait for others
AT_ONCE = 400  # sessions on their way to us; of many more a broker would throw some away
LOOK_S = 0.5
EARLY_S = 1.0  # after a broker has answered
PORTION = 2000  # machines with news that are written down at once
REMEMBERED = 10_000
UNFIT, TAKEN, MANY = "hosts with unfit names", "hosts whose names are taken", "hosts too many"


class BrokerHosts(threading.Thread):
    def __init__(
        self, home: str, source: Source, own: Place | None = None, clock: Callable[[], float] = time.time
    ) -> None:
        """`own`: where this machine itself writes, if it shares with this broker."""
        super().__init__(name=f"broker {source.name}", daemon=True)
        self.source, self.own = source, own
        self.reserved: frozenset[str] = frozenset()  # names of machines that another source brings
        self._home, self._clock = home, clock
        self._over = threading.Event()
        self._way = Way(source.broker, source.credentials, source.ca)
        self._total = topics.total(source.owner) if source.total else ""
        will = Will(self._total, total.UNKNOWN) if self._total else None
        self._connection = BrokerConnection(self._way, self, will)
        self._hosts: dict[Place, BrokerHost] = {}
        self._names: dict[str, Place] = {}
        self._refused: dict[int, str] = {}  # machines that are not shown, and why; by a hash, as a name may be long
        self._unread = 0
        self._due = self._looked_at = self._settled_at = 0.0
        self._has_news = False
        self._told = b""
        self._noted: ConnectionState | None = None
        self._record = ConnectionState(source.name, source.broker, since=clock(), why=NOT_YET)

    def stop(self) -> None:
        self._over.set()

    def remove(self) -> None:
        """After its end."""
        for host in self._hosts.values():
            host.remove()
        broker_connections.remove(self._home, self.source.name)

    def run(self) -> None:
        self._carefully(lambda: self._adopt(self._clock()))
        self._note(self._record)
        while not self._over.is_set():
            self._carefully(self._turn)
        self._carefully(self._leave)

    def _carefully(self, step: Callable[[], None]) -> None:
        """One broker must not take the others along. What could not be written is written at a later look."""
        try:
            step()
        except Exception as error:
            log.warning("%s: %s", self.source.name, fault.words(error))
            self._over.wait(LOOK_S)

    def _turn(self) -> None:
        self._connection.turn(max(self._due - time.monotonic(), 0.0) if self._due else LOOK_S)
        if self._due and time.monotonic() >= self._due:
            worked = time.thread_time()
            self._settle(self._clock())
            self._settled_at = time.monotonic()
            # A flood must not take a whole core.
            self._over.wait(min(time.thread_time() - worked, LOOK_S))
        if time.monotonic() - self._looked_at >= LOOK_S:
            self._looked_at = time.monotonic()
            self._look_again(self._clock())

    def is_up(self) -> None:
        log.info("%s: %s answers", self.source.name, self._way.words)
        self._refused, self._unread = {}, 0
        self._told = b""
        for host in self._hosts.values():
            host.begins_anew()
        self._connection.subscribe([topics.hosts(self.source.owner)])
        self._note(self._record._replace(reached=True, since=self._clock(), why=""))

    def is_down(self, why: str) -> None:
        now = self._clock()
        if self._record.reached or self._record.why != why:
            log.info("%s: %s: %s", self.source.name, self._way.words, why)
            since = now if self._record.reached else self._record.since
            self._note(self._record._replace(reached=False, since=since, why=why))
        self._lose_all(now)

    def _lose_all(self, now: float) -> None:
        for host in self._hosts.values():
            host.goes_out_of_reach(f"{self._way.words}: {self._record.why}", now)
        self._tell()

    def is_refused(self, why: str) -> None:
        self._note(self._record._replace(why=why))

    def hears(self, message: Message) -> None:
        topic = topics.read(message.topic)
        host = self._host(topic.place) if topic else None
        if topic is None or host is None:
            return
        now = self._clock()
        if not topic.session and not message.payload:
            self._forget(topic.place)
            return
        is_read = host.hears(topic.session, message, now) if topic.session else host.hears_about(message, now)
        self._unread += not is_read
        self._is_due_soon()

    def _is_due_soon(self) -> None:
        self._due = self._due or max(time.monotonic() + COALESCE_S, self._settled_at + TOGETHER_S)

    def _host(self, place: Place) -> BrokerHost | None:
        """None for one that is not shown."""
        if place in self._hosts:
            return self._hosts[place]
        name = self._name_of(place)
        if why := self._refusal(place, name):
            if len(self._refused) < REMEMBERED:
                self._refused[hash(place)] = why
            return None
        shown = None if place == self.own else Shown(self._home, name, self.source.way, self._notice)
        self._names[name] = place
        self._hosts[place] = made = BrokerHost(shown)
        return made

    def _refusal(self, place: Place, name: str) -> str:
        is_clear = self._place(name) == place
        if not place.is_fit or not NAME.fullmatch(name) or not is_clear:
            return UNFIT
        if name in self.reserved or name in self._names or self._is_taken(name):
            return TAKEN
        return MANY if len(self._hosts) >= HOSTS else ""

    def _is_taken(self, name: str) -> bool:
        """By a folder that another source has written."""
        there = hosts.read(paths.host_dir(self._home, name))
        return there is not None and there.source != self.source.way

    def _forget(self, place: Place) -> None:
        """It does not share any more."""
        self._hosts.pop(place).remove()
        self._names = {name: other for name, other in self._names.items() if other != place}
        self._is_due_soon()

    def _settle(self, now: float) -> None:
        self._due = 0.0
        for host in [host for host in self._hosts.values() if host.is_new][:PORTION]:
            host.settle(now, self.reserved)
        self._ask(now)
        self._tell()
        self._tell_total()

    def _ask(self, now: float) -> None:
        """For the sessions of some machines, and later of the next."""
        on_the_way = sum(host.on_the_way(now) for host in self._hosts.values())
        wanted = []
        for place, host in self._hosts.items():
            if on_the_way > AT_ONCE:
                break
            if host.wants_asking(now):
                wanted.append(place.sessions)
                host.asked(now)
                on_the_way += host.missing
        self._connection.subscribe(wanted)

    def _look_again(self, now: float) -> None:
        for host in self._hosts.values():
            host.looks_again(now, self.reserved)
        if not self._connection.is_connected:
            self._lose_all(now)
        if any(host.is_new or host.wants_asking(now) for host in self._hosts.values()):
            self._is_due_soon()
        self._tell_total()
        shown = [host for host in self._hosts.values() if host.is_shown]
        sessions = sum(host.sessions for host in shown)
        self._note(self._record._replace(hosts=len(shown), sessions=sessions, left_out=self._left_out(shown)))

    def _left_out(self, shown: list[BrokerHost]) -> str:
        counts = Counter(self._refused.values())
        counts["messages that cannot be read"] = self._unread
        counts["sessions"] = sum(host.left_out for host in shown)
        return ", ".join(f"{number} {what}" for what, number in counts.items() if number)

    def _tell_total(self) -> None:
        """Not before we have heard of everybody: a lamp must not take our first moment for calm."""
        is_early = self._clock() - self._record.since < EARLY_S and not self._told
        if not self._total or not self._connection.is_connected or is_early:
            return
        if any(host.is_coming for host in self._hosts.values()):
            return
        told = total.encode(self._hosts.values())
        if told != self._told:
            self._told = told
            self._connection.say(self._total, told)

    def _adopt(self, now: float) -> None:
        """What an earlier collector has left stays, as something old, until the broker tells of it."""
        there = [hosts.read(f"{paths.hosts_dir(self._home)}/{name}") for name in hosts.names(self._home)]
        for known in there:
            if known and known.source == self.source.way and (host := self._host(self._place(known.name))):
                host.show(now)

    def _name_of(self, place: Place) -> str:
        return f"{place.owner}.{place.host}" if self.source.owner == ANY else place.host

    def _place(self, name: str) -> Place:
        owner, _, host = name.partition(".")
        return Place(owner, host) if self.source.owner == ANY else Place(self.source.owner, name)

    def _leave(self) -> None:
        if self._total and self._connection.is_connected:
            self._connection.say(self._total, total.UNKNOWN)
            self._connection.settle(1.0)
        self._connection.close()
        now = self._clock()
        for host in self._hosts.values():
            host.goes_out_of_reach("no collector is running", now)
        self._tell()

    def _notice(self, _home: str) -> None:
        self._has_news = True

    def _tell(self) -> None:
        """Front ends, once for all that is new."""
        if self._has_news:
            self._has_news = False
            mirror.tell(self._home)

    def _note(self, record: ConnectionState) -> None:
        if record == self._noted:
            return
        self._record = self._noted = record
        try:
            broker_connections.write(self._home, record)
        except OSError as error:
            log.warning("%s: %s", self.source.name, fault.words(error))
