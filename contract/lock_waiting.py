"""Waiting for a lock that somebody else holds: as long as it goes from hand to hand, but not for a stopped process.

Whoever asks again and again may lose to newcomers for as long as there are any. In the kernel's line everybody's turn
comes, but only an alarm can call one out of it, and alarms belong to the main thread of a process: only a process that
is alone with its one job, such as the hook, may stand in line.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # `signal` would import `enum`
import fcntl
import posix
import time

from contract import store

AGAIN_S = 0.05  # an alarm that rings a moment before `flock` begins to wait is not heard: it rings again
LONGEST = 6  # times our patience, even if the lock goes from hand to hand


def win(fd: int, path: str, *, alone: bool) -> None:
    """Take the lock of a data file; BusyError when nobody has changed that file for as long as our patience."""
    wait = stand_in_line if alone else ask_again
    last = time.monotonic() + LONGEST * store.PATIENCE_S
    seen = _state(path)
    while not wait(fd, store.PATIENCE_S):
        before, seen = seen, _state(path)
        if seen == before or time.monotonic() > last:
            raise store.BusyError(11, "lock is held by somebody else")


def ask_again(fd: int, seconds: float) -> bool:
    """Whether the lock was won in this time."""
    pause, end = 0.0005, time.monotonic() + seconds
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:  # noqa: PERF203 - it is what is waited for
            if time.monotonic() > end:
                return False
            time.sleep(pause)
            pause = min(pause * 1.5, 0.01)
        else:
            return True


class _Alarm(Exception):  # noqa: N818 - no error: it calls us out of the line
    pass


def stand_in_line(fd: int, seconds: float) -> bool:
    """The same in the kernel's line."""
    over: list[bool] = []

    def ring(_number: int, _frame: object) -> None:
        if not over:  # it may ring once more when we are out of the line already
            over.append(True)
            raise _Alarm

    _signal.signal(_signal.SIGALRM, ring)
    _signal.pthread_sigmask(_signal.SIG_UNBLOCK, [_signal.SIGALRM])  # a client may have blocked it
    try:
        try:
            _signal.setitimer(_signal.ITIMER_REAL, seconds, AGAIN_S)
            fcntl.flock(fd, fcntl.LOCK_EX)
        finally:
            over.append(True)
            _signal.setitimer(_signal.ITIMER_REAL, 0.0)
    except _Alarm:
        _signal.setitimer(_signal.ITIMER_REAL, 0.0)
        return False
    return True


def _state(path: str) -> tuple[int, int, int] | None:
    try:
        return store.signature(posix.lstat(path))
    except OSError:
        return None
