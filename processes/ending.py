"""Signals for one process and no other: its pid and start are compared at the last moment.

On Linux the process is held by a descriptor first and compared then. If the start is the right one, the descriptor
means that process for ever, and a signal through it cannot reach a later process with the same pid. Elsewhere the
signal follows the comparison at once.
"""

from __future__ import annotations

import errno
import os
import select
import signal
import time
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple, Self

from processes import system_table
from processes.identity import Identity, compare

if TYPE_CHECKING:
    from processes.identity import Rows

POLL_S = 0.05  # where the kernel does not tell of an end
UNSUPPORTED = (errno.ENOSYS, errno.EPERM, errno.EACCES)  # an old kernel, or a sandbox that forbids the call
_HERE = system_table.here()


class Sent(Enum):
    """What became of a signal."""

    SENT = "sent"
    GONE = "gone"  # nobody is there any more to take it
    UNKNOWN = "unknown"  # whether it is the process that was meant cannot be said: nothing was sent
    FAILED = "failed"


class Answer(NamedTuple):
    sent: Sent
    why: str = ""


class Hold:
    """One process, from the first signal to its end. Never raises for a process that is gone."""

    def __init__(self, pid: int, start: str, table: Rows = _HERE) -> None:
        self.pid, self.start = pid, start
        self._table, self._fd, self._trouble = table, -1, ""

    def __enter__(self) -> Self:
        try:
            self._fd = _descriptor(self.pid)
        except OSError as error:
            self._trouble = error.strerror or str(error)
        return self

    def __exit__(self, *_: object) -> None:
        if self._fd >= 0:
            os.close(self._fd)

    def identity(self) -> Identity:
        return compare(self.pid, self.start, self._table)

    def send(self, number: int) -> Answer:
        found = self.identity()
        if found is Identity.GONE:
            return Answer(Sent.GONE)
        if found is Identity.UNKNOWN:
            return Answer(Sent.UNKNOWN, f"process {self.pid} cannot be told from a later one with the same number")
        if self._trouble:
            return Answer(Sent.FAILED, self._trouble)
        return self._send(number)

    def _send(self, number: int) -> Answer:
        try:
            if self._fd >= 0:
                signal.pidfd_send_signal(self._fd, number)
            else:
                os.kill(self.pid, number)
        except ProcessLookupError:
            return Answer(Sent.GONE)
        except OSError as error:
            return Answer(Sent.FAILED, error.strerror or str(error))
        return Answer(Sent.SENT)

    def wait(self, seconds: float) -> bool:
        """Whether it has ended within this time. One that nobody has waited for yet has ended too."""
        if self._fd < 0:
            return self._poll(time.monotonic() + seconds)
        waiting = select.poll()
        waiting.register(self._fd, select.POLLIN)
        return bool(waiting.poll(seconds * 1000))

    def _poll(self, last: float) -> bool:
        while self.identity() is not Identity.GONE:
            if time.monotonic() >= last:
                return False
            time.sleep(POLL_S)
        return True


def _descriptor(pid: int) -> int:
    """-1 where there are none, or for a pid that nobody has: comparing says that it is gone."""
    if not hasattr(os, "pidfd_open") or pid <= 0:
        return -1
    try:
        return os.pidfd_open(pid)
    except OSError as error:
        if error.errno in (*UNSUPPORTED, errno.ESRCH):
            return -1
        raise
