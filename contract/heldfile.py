"""A lock where the file system has no `flock`: whoever could create the file `<path>.held` holds it.

A holder that was killed leaves its file behind. It counts for nothing once its process is gone, or, where that cannot
be seen from here, when it has been the same file for as long as our patience: a holder needs milliseconds.
"""

from __future__ import annotations

import errno
import posix
import time

from contract import machine, store

NO_FLOCK = (errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOLCK, errno.ENOSYS)
PAUSE_S = 0.002
LONGEST = 6  # as `contract.lock_waiting` has it


def take(path: str) -> int:
    """The descriptor of the file that is ours now; BusyError if too many others come first."""
    held = path + ".held"
    last = time.monotonic() + LONGEST * store.PATIENCE_S
    seen, since = None, 0.0
    while time.monotonic() < last:
        fd = _create(held)
        if fd is not None:
            return fd
        now = time.monotonic()
        state = _state(held)
        if state != seen:
            seen, since = state, now
        is_old = now - since > store.PATIENCE_S or _is_left_behind(held)
        # A holder lets go before it ends: of one that did both since we looked, this is no longer the file.
        if state and is_old and _state(held) == state:
            _clear_away(held, state)
        time.sleep(PAUSE_S)
    raise store.BusyError(11, "lock is held by somebody else")


def release(path: str, fd: int) -> None:
    """Only our own file: somebody may have lost patience with us and have made another one."""
    held = path + ".held"
    if _state(held) == _signature(posix.fstat(fd)):
        store.remove(held)
    posix.close(fd)


def _create(held: str) -> int | None:
    flags = posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL | posix.O_CLOEXEC | posix.O_NOFOLLOW
    try:
        fd = posix.open(held, flags, 0o600)
    except FileExistsError:
        return None
    posix.write(fd, _me())
    return fd


def _me() -> bytes:
    return " ".join((str(posix.getpid()), *machine.here())).encode("utf-8", "replace")


def _is_left_behind(held: str) -> bool:
    """Whether its process is gone: only if it is one of this machine."""
    try:
        pid, _, where = (store.read(held) or b"").partition(b" ")
        if where != _me().partition(b" ")[2] or not pid.isdigit():
            return False  # somebody else's, or not written yet
        posix.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


def _clear_away(held: str, state: tuple[int, int]) -> None:
    """Two may want to do so at once: what was moved is looked at again, and put back if it is a new holder's."""
    aside = f"{held.removesuffix('.held')}.{posix.getpid()}.held"
    try:
        posix.rename(held, aside)
        if _state(aside) != state:
            posix.link(aside, held)
    except OSError:
        pass
    store.remove(aside)


def _state(path: str) -> tuple[int, int] | None:
    try:
        return _signature(posix.lstat(path))
    except OSError:
        return None


def _signature(seen: posix.stat_result) -> tuple[int, int]:
    return seen.st_ino, seen.st_mtime_ns
