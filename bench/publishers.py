"""Many simulated machines in one process, each with its own connection to the broker: they say what `share` says.

`python -m bench.publishers URL FIRST NUMBER SESSIONS`; then each line on the standard input makes all sessions of all
machines change once, and a line comes back when the broker has taken that.
"""

from __future__ import annotations

import select
import sys
import time
from typing import TYPE_CHECKING

from contract.status import NEEDS_APPROVAL, WORKING, SessionStatus
from fleet import outgoing
from fleet.broker_connection import BrokerConnection, Way, Will
from fleet.topics import Place

if TYPE_CHECKING:
    from fleet.broker_connection import Message

OWNER = "bench"
STATES = (WORKING, NEEDS_APPROVAL)
TICK_S = 1.0


class Machine:
    def __init__(self, url: str, number: int, sessions: int) -> None:
        self.place = Place(OWNER, f"box-{number:04}")
        self._ids = [f"{number:08x}-0000-4000-8000-{k:012x}" for k in range(sessions)]
        self._said, self._round = 0, 0
        self.connection = BrokerConnection(Way(url), self, Will(self.place.about, outgoing.farewell("x", "gone")))

    def is_up(self) -> None:
        self.changes()
        self.connection.say(self.place.about, outgoing.host(self._ids, time.time(), self._said, "x", known=True))

    def is_down(self, why: str) -> None:
        print(f"{self.place.host}: {why}", file=sys.stderr)

    def is_refused(self, why: str) -> None:
        print(f"{self.place.host}: {why}", file=sys.stderr)

    def hears(self, message: Message) -> None:
        pass

    def changes(self) -> None:
        """All its sessions."""
        now, state, self._round = time.time(), STATES[self._round % 2], self._round + 1
        for id_ in self._ids:
            self._said += 1
            told = outgoing.session(SessionStatus(id_, "shop-1", "/home/me/shop", 7, state, "", now, "", ""), "states")
            self.connection.say(self.place.session(id_), outgoing.message(told, now, self._said))


class Crowd:
    """All of them, served by one thread: a connection that is not looked at for some seconds is cut by the broker."""

    def __init__(self, machines: list[Machine]) -> None:
        self._machines = machines
        self._waiting = select.poll()
        self._by_fd: dict[int, Machine] = {}
        self._looked_at = 0.0

    def connect(self) -> None:
        for machine in self._machines:
            while not machine.connection.is_connected:
                machine.connection.turn(0.05)
            fd = machine.connection.descriptors[0]
            self._by_fd[fd] = machine
            self._waiting.register(fd, select.POLLIN)
            self.serve(0.0)
        self.settle()

    def change(self) -> None:
        for machine in self._machines:
            machine.changes()
            self.serve(0.0)
        self.settle()

    def settle(self) -> None:
        while not all(machine.connection.has_all for machine in self._machines):
            self.serve(0.01)

    def serve(self, wait_s: float) -> bool:
        """Whether somebody wants something of us."""
        ready = {fd for fd, _ in self._waiting.poll(wait_s * 1000)}
        now = time.monotonic()
        is_due = now - self._looked_at > TICK_S
        for fd in self._by_fd if is_due else ready & self._by_fd.keys():
            self._by_fd[fd].connection.turn(0.0)
        self._looked_at = now if is_due else self._looked_at
        return 0 in ready

    def until_asked(self) -> bool:
        """Whether it is for a change."""
        self._waiting.register(0, select.POLLIN)
        while not self.serve(TICK_S):
            pass
        self._waiting.unregister(0)
        return bool(sys.stdin.readline())


def main(url: str, first: int, number: int, sessions: int) -> None:
    crowd = Crowd([Machine(url, first + k, sessions) for k in range(number)])
    crowd.connect()
    print("ready", flush=True)
    while crowd.until_asked():
        crowd.change()
        print("said", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:5]))
