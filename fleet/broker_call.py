"""Short calls to a broker: whether it answers, lets us read or write, and to take back what it keeps of us."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Self

from contract import status
from fleet import outgoing, topics
from fleet.broker_connection import BrokerConnection, Way
from fleet.first_call import Answer

if TYPE_CHECKING:
    from fleet.broker_connection import Message
    from fleet.share_settings import Sharing
    from fleet.sources import Source

PATIENCE_S, QUIET_S = 15.0, 0.5
BEGINS, SILENT = "it begins to share", "it does not answer"


def read(source: Source) -> Answer:
    """Whether the machines of this owner can be read."""
    with _Call(Way(source.broker, source.credentials, source.ca)) as call:
        if call.connects():
            call.connection.subscribe([topics.hosts(source.owner)])
            call.listen()
        number = len(call.heard)
        return call.answer(f"it answers, {'1 machine is' if number == 1 else f'{number} machines are'} there.")


def write(sharing: Sharing) -> Answer:
    """Whether we may write to our own place."""
    with _Call(Way(sharing.broker, sharing.credentials, sharing.ca)) as call:
        if call.connects():
            call.connection.say(sharing.place.about, outgoing.farewell("", BEGINS))
            call.settle()
        return call.answer("it answers.")


def take_back(sharing: Sharing) -> Answer:
    """All that the broker keeps of this machine, unless another one shares under its name by now."""
    with _Call(Way(sharing.broker, sharing.credentials, sharing.ca)) as call:
        if call.connects():
            call.connection.subscribe([sharing.place.about, sharing.place.sessions])
            call.listen()
            if status.fields_of(call.heard.get(sharing.place.about, b"")).get("online") is True:
                return Answer(is_there=False, why=f"another machine shares under the name {sharing.host}")
            for topic in {*call.heard, sharing.place.about}:
                call.connection.say(topic, b"")
            call.settle()
        return call.answer()


class _Call:
    def __init__(self, way: Way) -> None:
        self.connection = BrokerConnection(way, self)
        self.heard: dict[str, bytes] = {}
        self._why, self._at = "", time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    def connects(self) -> bool:
        end = time.monotonic() + PATIENCE_S
        while not self.connection.is_connected and not self._why and time.monotonic() < end:
            self.connection.turn(0.1)
        self._why = self._why or ("" if self.connection.is_connected else SILENT)
        return self.connection.is_connected

    def listen(self) -> None:
        """Until nothing has come for a moment."""
        self._at, end = time.monotonic(), time.monotonic() + PATIENCE_S
        while not self._why and time.monotonic() < min(self._at + QUIET_S, end):
            self.connection.turn(0.05)

    def settle(self) -> None:
        """Until the broker has all that was said."""
        self.connection.settle(PATIENCE_S)
        self._why = self._why or ("" if self.connection.has_all else SILENT)

    def answer(self, words: str = "") -> Answer:
        return Answer(is_there=not self._why, words=words, why=self._why)

    def is_up(self) -> None:
        return

    def is_down(self, why: str) -> None:
        self._why = why

    def is_refused(self, why: str) -> None:
        self._why = why

    def hears(self, message: Message) -> None:
        if message.payload:
            self.heard[message.topic] = message.payload
            self._at = time.monotonic()
