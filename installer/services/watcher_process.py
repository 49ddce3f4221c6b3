"""The process of the watcher: whether it is running, and asking it to end."""

from __future__ import annotations

import enum
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from contract import hosts, paths, proc_stat, pulse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from contract.status import Heartbeat

STEP_S = 0.02
PS_TIMEOUT_S = 5
LOCKS = "/proc/locks"


class End(enum.Enum):
    """The outcome of `end`."""

    NOT_RUNNING = "no {} was running"
    ENDED = "the {} ended"
    UNKNOWN = "a {} is running, but its process cannot be identified for sure"
    STAYED = "the {} was asked to end, but is still running"


def holder(home: str) -> int | None:
    """The process that has the watcher's lock; only Linux shows it."""
    try:
        seen = os.stat(paths.watcher_lock(home), follow_symlinks=False)
        with open(LOCKS, encoding="ascii", errors="replace") as file:
            return holder_in(file, seen.st_dev, seen.st_ino)
    except OSError:
        return None


def holder_in(lines: Iterable[str], device: int, inode: int) -> int | None:
    """From the lines of /proc/locks; 0 and below is a process of another namespace."""
    wanted = f"{os.major(device):02x}:{os.minor(device):02x}:{inode}"
    for line in lines:
        words = line.split()
        if "FLOCK" in words and "->" not in words and wanted in words:
            pid = words[words.index(wanted) - 1]
            return int(pid) if pid.isdigit() and int(pid) > 0 else None
    return None


def is_there(beat: Heartbeat) -> bool:
    """Whether the process that wrote it is still running, and not another one with its pid."""
    return beat.pid > 1 and bool(beat.start) and start_of(beat.pid) == beat.start


def start_of(pid: int) -> str | None:
    """When the process began, as the system writes it: pid and start together identify one process."""
    return start_by_proc(pid) if sys.platform == "linux" else start_by_ps(pid)


def start_by_proc(pid: int) -> str | None:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            _, fields = proc_stat.stat(file.read())
    except OSError:
        return None
    return fields[proc_stat.START].decode("ascii") if fields else None


def start_by_ps(pid: int) -> str | None:
    """In a fixed locale and time zone, so that it can be compared with the text in the heartbeat."""
    env = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "TZ": "UTC"}
    argv = ["ps", "-o", "lstart=", "-p", str(pid)]
    try:
        done = subprocess.run(argv, env=env, capture_output=True, timeout=PS_TIMEOUT_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode("utf-8", "replace").strip() or None


def end(home: str, *, patience_s: float = 5.0) -> End:
    """Ask the watcher to end and wait until its lock is free. Never signals a process that may be another one."""
    return _end(lambda: pulse.has_watcher(home), lambda: pulse.heartbeat(home), patience_s)


def end_collector(home: str, *, patience_s: float = 10.0) -> End:
    """The same for the process that brings the statuses of other machines: it ends its connections first."""
    return _end(lambda: hosts.collector(home).locked, lambda: hosts.collector(home).heartbeat, patience_s)


def _end(is_running: Callable[[], bool], heartbeat: Callable[[], Heartbeat | None], patience_s: float) -> End:
    if not is_running():
        return End.NOT_RUNNING
    beat = heartbeat()
    if beat is None or not _signal(beat):
        return End.UNKNOWN if is_running() else End.ENDED
    deadline = time.monotonic() + patience_s
    while is_running():
        if time.monotonic() > deadline:
            return End.STAYED
        time.sleep(STEP_S)
    return End.ENDED


def _signal(beat: Heartbeat) -> bool:
    """Whether the process of the heartbeat was signalled."""
    if not beat.start or beat.pid <= 1:
        return False
    try:
        with _handle(beat.pid) as send:
            # The handle was opened before the start is compared, so the pid cannot belong to a new process.
            if start_of(beat.pid) != beat.start:
                return False
            send(signal.SIGTERM)
    except OSError:
        return False
    return True


@contextmanager
def _handle(pid: int) -> Iterator[Callable[[int], None]]:
    """A function that signals this process and, on Linux, never a later process with the same pid."""
    if sys.platform != "linux":
        yield lambda number: os.kill(pid, number)
        return
    fd = os.pidfd_open(pid)
    try:
        yield lambda number: signal.pidfd_send_signal(fd, number)
    finally:
        os.close(fd)
