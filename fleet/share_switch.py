"""Whether this machine shares its statuses: the thread that does is begun and ended as share.toml says."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from contract import broker_connections
from contract.broker_connections import ConnectionState
from fleet.broker_extra import lacking

if TYPE_CHECKING:
    from fleet.broker_publisher import BrokerPublisher
    from fleet.share_settings import Sharing
    from fleet.topics import Place

log = logging.getLogger("yourturn")

PATIENCE_S = 5.0  # for the thread to end


class ShareSwitch:
    def __init__(self, home: str, chosen: str) -> None:
        """`chosen`: the file beside which the settings are, for whoever starts the collector again."""
        self._home, self._chosen = home, chosen
        self._sharing: Sharing | None = None
        self._share: BrokerPublisher | None = None

    def turn(self, sharing: Sharing | None) -> None:
        """To these settings. What was shared by other ones is taken back from the broker."""
        if sharing == self._sharing:
            return
        self.end(takes_back=True)
        self._sharing = sharing
        if sharing is None:
            return
        if lacks := lacking():
            log.warning("%s", lacks)
            connection = ConnectionState("", sharing.broker, since=time.time(), why=lacks, chosen=self._chosen)
            broker_connections.write(self._home, connection)
            return
        from fleet.broker_publisher import BrokerPublisher  # noqa: PLC0415 - needs a package that not everybody has

        self._share = BrokerPublisher(self._home, sharing, chosen=self._chosen)
        self._share.start()

    def end(self, *, takes_back: bool) -> None:
        share, self._share = self._share, None
        if share:
            share.stop(takes_back=takes_back)
            share.join(PATIENCE_S)
        if takes_back:
            broker_connections.remove(self._home, "")

    def place_on(self, broker: str) -> Place | None:
        """Where this machine itself writes, on this broker."""
        return self._sharing.place if self._sharing and self._sharing.broker == broker else None
