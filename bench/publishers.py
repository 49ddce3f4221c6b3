"""Many simulated machines in one process: each has a line to the broker of its own, and says what `Share` would say.

`python -m bench.publishers URL FIRST NUMBER SESSIONS`; then each line on the standard input makes all sessions of all
machines change once, and a line comes back when the broker has taken that.
"""

from __future__ import annotations

import select
import sys
import time
from typing import TYPE_CHECKING

from contract.status import NEEDS_APPROVAL, WORKING, SessionStatus
from fleet import shared
from fleet.broker_line import BrokerLine, Way, Will
from fleet.topics import Place

if TYPE_CHECKING:
    from fleet.broker_line import Message

OWNER = "bench"
STATES = (WORKING, NEEDS_APPROVAL)
TICK_S = 0.2


class Machine:
    def __init__(self, url: str, number: int, sessions: int) -> None:
        self.place = Place(OWNER, f"box-{number:04}")
        self._ids = [f"{number:08x}-0000-4000-8000-{k:012x}" for k in range(sessions)]
        self._said, self._round = 0, 0
        self.line = BrokerLine(Way(url), self, Will(self.place.about, shared.farewell("x", "gone")))

    def is_up(self) -> None:
        self.changes()
        self.line.say(self.place.about, shared.host(self._ids, time.time(), self._said, "x", known=True))

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
            told = shared.session(SessionStatus(id_, "shop-1", "/home/me/shop", 7, state, "", now, "", ""), "states")
            self.line.say(self.place.session(id_), shared.message(told, now, self._said))


def main(url: str, first: int, number: int, sessions: int) -> None:
    machines = [Machine(url, first + k, sessions) for k in range(number)]
    for machine in machines:
        while not machine.line.stands:
            machine.line.turn(0.05)
    _settle(machines)
    print("ready", flush=True)
    while _serve(machines):
        for machine in machines:
            machine.changes()
        _settle(machines)
        print("said", flush=True)


def _settle(machines: list[Machine]) -> None:
    for machine in machines:
        machine.line.settle(60.0)


def _serve(machines: list[Machine]) -> bool:
    """Keep the lines, until somebody wants something; whether it is a change."""
    waiting = select.poll()
    waiting.register(0, select.POLLIN)
    by_fd = {machine.line.descriptors[0]: machine for machine in machines if machine.line.descriptors}
    for fd in by_fd:
        waiting.register(fd, select.POLLIN)
    while True:
        ready = {fd for fd, _ in waiting.poll(TICK_S * 1000)}
        if 0 in ready:
            return bool(sys.stdin.readline())
        for fd, machine in by_fd.items() if not ready else [(fd, by_fd[fd]) for fd in ready]:
            del fd
            machine.line.turn(0.0)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:5]))
