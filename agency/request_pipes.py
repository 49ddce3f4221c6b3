"""The pipes of what running workers ask for, and closing a worker's own input when it will ask no more.

Part of the loop of `RunningWorkers`: it shares their selector, and answers for the descriptors that are no stream of a
worker.
"""

from __future__ import annotations

import math
import os
import selectors
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agency.worker import Worker


class RequestPipes:
    def __init__(self, poll: selectors.BaseSelector) -> None:
        self._poll = poll
        self._pipes: dict[int, dict[int, str]] = {}  # by the worker's pid: what is listened to, and for which request

    def due(self, worker: Worker) -> float:
        return worker.host.due if worker.host else math.inf

    def look(self, worker: Worker, now: float) -> None:
        """What is due, and what is new or gone among its requests."""
        host = worker.host
        if host is None:
            return
        if host.due <= now:
            host.look(now)
        if host.closes_at <= now and not worker.prompt:
            self.close_input(worker)
        self._listen(worker, host.pipes())

    def heard(self, worker: Worker, chunk: bytes, now: float) -> None:
        """It has printed something; at its end, its result is what is kept."""
        if worker.host:
            self._say(worker, worker.host.hear(chunk, now))
            self._listen(worker, worker.host.pipes())
            worker.output = bytearray(worker.host.result)

    def answered(self, worker: Worker, fd: int) -> None:
        """What came through the pipe of a request is passed on, if that is still open."""
        if worker.host and fd in worker.host.pipes():
            self._say(worker, worker.host.answered(fd))
            self._listen(worker, worker.host.pipes())

    def rests(self, worker: Worker) -> bool:
        """It has been told everything for now; whether more may come. Then its input stays open."""
        if worker.host is None or worker.host.is_over:
            return False
        self._poll.unregister(worker.stdin)
        return True

    def close_input(self, worker: Worker) -> None:
        """It can ask nobody after this."""
        if worker.host:
            worker.host.close()
            self._listen(worker, {})
        if worker.stdin >= 0:
            if worker.stdin in self._poll.get_map():
                self._poll.unregister(worker.stdin)
            os.close(worker.stdin)
            worker.stdin = -1

    def _say(self, worker: Worker, words: bytes) -> None:
        if words and worker.stdin >= 0:
            worker.prompt = memoryview(bytes(worker.prompt) + words)
            if worker.stdin not in self._poll.get_map():
                self._poll.register(worker.stdin, selectors.EVENT_WRITE, worker)

    def _listen(self, worker: Worker, wanted: dict[int, str]) -> None:
        """A number may be that of another pipe by now, so what is gone is forgotten first."""
        known = self._pipes.pop(worker.agent.pid, {})
        for fd, _ in known.items() - wanted.items():
            self._poll.unregister(fd)
        for fd, _ in wanted.items() - known.items():
            self._poll.register(fd, selectors.EVENT_READ, worker)
        if wanted:
            self._pipes[worker.agent.pid] = wanted
