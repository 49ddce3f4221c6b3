"""Tells a broker of this machine's sessions: what changed, as it changes, and that we are gone, if we are."""

from __future__ import annotations

import logging
import secrets
import threading
import time
from typing import TYPE_CHECKING, Any

from contract import broker_connections, fault, paths, status
from contract.broker_connections import ConnectionState
from fleet import outgoing, topics
from fleet.broker_connection import BrokerConnection, Way, Will
from fleet.mirror import NOT_YET
from statusbar.model.reader import Reader
from statusbar.system.filewatch import Changes

if TYPE_CHECKING:
    from collections.abc import Callable

    from contract.status import SessionStatus
    from fleet.broker_connection import Message
    from fleet.share_settings import Sharing

log = logging.getLogger("yourturn")

LOOK_S = 0.5  # whether the watcher is well changes without a file
BEAT_S = 300.0  # so often all boards can see whether they have missed something
AGAIN_S = 86400.0  # so often everything is said anew: a broker forgets what is old
FAREWELL_S = 2.0
GONE = "its connection to the broker is cut"
ENDED = "nobody shares its states any more"
RIVAL = "another machine shares under the name {}: choose another one, with --host"


class BrokerPublisher(threading.Thread):
    def __init__(self, home: str, sharing: Sharing, clock: Callable[[], float] = time.time, chosen: str = "") -> None:
        """`chosen`: the file beside which the settings are, for whoever starts the collector again."""
        super().__init__(name="share", daemon=True)
        self.sharing = sharing
        self._home, self._clock = home, clock
        self._over = threading.Event()
        self._run = secrets.token_hex(8)  # by which we know our own words
        self._reader = Reader(home)
        self._place = sharing.place
        self._way = Way(sharing.broker, sharing.credentials, sharing.ca)
        will = Will(self._place.about, outgoing.farewell(self._run, GONE))
        self._connection = BrokerConnection(self._way, self, will)
        self._seen: tuple[SessionStatus, ...] = ()
        self._seen_fields: dict[str, dict[str, Any]] = {}
        self._said: dict[str, dict[str, Any]] = {}
        self._kept_there: set[str] = set()  # what the broker has of us, from an earlier life too
        self._number = 0
        self._known: bool | None = None  # as it was said last; None if nothing was since we are connected
        self._beat_at = self._again_at = 0.0
        self._rival = False
        self._record = ConnectionState("", sharing.broker, since=clock(), why=NOT_YET, chosen=chosen)
        self._takes_back = False

    def stop(self, *, takes_back: bool = False) -> None:
        """`takes_back`: the broker shall keep nothing of ours."""
        self._takes_back |= takes_back
        self._over.set()

    def run(self) -> None:
        self._note(self._record)
        with Changes(paths.status_dir(self._home)) as changes:
            while not self._over.is_set() and not self._rival:
                try:
                    self._turn(changes)
                except Exception as error:
                    log.warning("share: %s", fault.words(error))
                    self._over.wait(LOOK_S)
        self._leave()

    def _turn(self, changes: Changes) -> None:
        if self._connection.is_connected:
            changes.wait(LOOK_S, also=self._connection.descriptors)
            self._connection.turn(0.0)
        else:
            self._connection.turn(LOOK_S)
        if self._connection.is_connected and not self._rival:
            self._tell(self._clock())

    def is_up(self) -> None:
        log.info("share: %s answers", self._way.words)
        self._known, self._said = None, {}
        self._connection.subscribe([self._place.about, self._place.sessions], own=False)
        self._note(self._record._replace(reached=True, since=self._clock(), why=""))

    def is_down(self, why: str) -> None:
        if self._record.reached or self._record.why != why:
            log.info("share: %s: %s", self._way.words, why)
            since = self._clock() if self._record.reached else self._record.since
            self._note(self._record._replace(reached=False, since=since, why=why))

    def is_refused(self, why: str) -> None:
        if self._record.why != why:
            log.warning("share: %s: %s", self._way.words, why)
            self._note(self._record._replace(why=why))

    def hears(self, message: Message) -> None:
        """What others, or we ourselves in an earlier life, have said in our place."""
        topic = topics.read(message.topic)
        if topic is None or not message.payload:
            return
        if not topic.session:
            self._hears_of_us(message)
        elif message.is_kept:
            self._kept_there.add(topic.session)
        else:
            self._said[topic.session] = {}  # so it is said again, or taken back

    def _hears_of_us(self, message: Message) -> None:
        told = status.fields_of(message.payload)
        if told.get("online") is True and told.get("run") != self._run and not message.is_kept:
            self._rival = True
            self._note(self._record._replace(reached=False, since=self._clock(), why=RIVAL.format(self._place.host)))
            log.warning("share: %s", self._record.why)
        elif told.get("run") != self._run or told.get("online") is not True:
            self._beat_at = 0.0  # an old will of ours, or somebody else's words: say it again

    def _tell(self, now: float) -> None:
        statuses = self._reader.read()
        sessions = statuses.local[: outgoing.SESSIONS]
        known, is_first = statuses.is_well(now), self._known is None
        if now - self._again_at > AGAIN_S:
            self._again_at, self._said = now, {}
        new = self._fields(sessions)
        gone = [id_ for id_ in {*self._said, *self._kept_there} if id_ not in new]
        if is_first or new.keys() != self._said.keys():
            self._tell_of_us(list(new), now, known=known and not is_first)
        changed = {id_: fields for id_, fields in new.items() if self._said.get(id_) != fields}
        for id_, fields in changed.items():
            self._number += 1
            self._connection.say(self._place.session(id_), outgoing.message(fields, now, self._number))
        for id_ in gone:
            self._connection.say(self._place.session(id_), b"")
        self._said, self._kept_there = dict(new), set()
        if known is not self._known or now - self._beat_at > BEAT_S:
            self._tell_of_us(list(new), now, known=known)
        if self._record.sessions != len(new):
            self._note(self._record._replace(sessions=len(new)))

    def _fields(self, sessions: tuple[SessionStatus, ...]) -> dict[str, dict[str, Any]]:
        """What is told of each, made again only when something is new: we look twice a second."""
        if sessions != self._seen:
            told = [outgoing.session(session, self.sharing.details) for session in sessions]
            self._seen, self._seen_fields = sessions, dict(zip(outgoing.ids(sessions), told, strict=True))
        return self._seen_fields

    def _tell_of_us(self, ids: list[str], now: float, *, known: bool) -> None:
        self._connection.say(self._place.about, outgoing.host(ids, now, self._number, self._run, known=known))
        self._known, self._beat_at = known, now

    def _leave(self) -> None:
        """With a word, unless the place is somebody else's by now."""
        if self._connection.is_connected and not self._rival:
            for id_ in self._said if self._takes_back else ():
                self._connection.say(self._place.session(id_), b"")
            self._connection.say(self._place.about, b"" if self._takes_back else outgoing.farewell(self._run, ENDED))
            self._connection.settle(FAREWELL_S)
        self._connection.close()
        if not self._rival:
            self._note(self._record._replace(reached=False, since=self._clock(), why=ENDED))

    def _note(self, record: ConnectionState) -> None:
        self._record = record
        try:
            broker_connections.write(self._home, record)
        except OSError as error:
            log.warning("share: %s", fault.words(error))
