"""What psutil tells of processes, for systems without /proc. Same names as in `procfs.py`."""

from __future__ import annotations

import os
import sys
import time
from subprocess import DEVNULL, SubprocessError, run

import psutil

from processes.process import Proc

ARGV_CHARACTERS = 1 << 16


class PsTable:
    """`row` is None for a process that is gone, and raises OSError where nothing can be said."""

    def __init__(self) -> None:
        self._by_parent: dict[int, list[int]] | None = None

    def row(self, pid: int) -> Proc | None:
        try:
            return _look(psutil.Process(pid))
        except psutil.NoSuchProcess:
            return None
        except psutil.AccessDenied:
            raise PermissionError(f"may not look at {pid}") from None

    def children(self, pid: int) -> list[int]:
        if self._by_parent is None:
            self._by_parent = {}
            for process in psutil.process_iter(["ppid"]):
                self._by_parent.setdefault(process.info["ppid"] or 0, []).append(process.pid)
        return self._by_parent.get(pid, [])

    def pids(self) -> list[int]:
        return psutil.pids()

    def is_mine(self, pid: int) -> bool:
        try:
            return psutil.Process(pid).uids().effective == os.geteuid()
        except (psutil.Error, OSError):
            return False

    def argv(self, pid: int) -> tuple[str, ...]:
        try:
            return cut(psutil.Process(pid).cmdline())
        except (psutil.Error, OSError):
            return ()

    def agent_mode(self, pid: int) -> bool | None:
        try:
            return psutil.Process(pid).environ().get("AGENT_MODE") == "1"
        except (psutil.Error, OSError):
            return None

    def tty(self, pid: int) -> str | None:
        try:
            # psutil keeps the list of terminals it made first and never sees a newer one.
            asked = run(
                ["ps", "-o", "tty=", "-p", str(pid)],
                stdin=DEVNULL,
                capture_output=True,
                timeout=2,
                check=False,
            )
        except (OSError, SubprocessError):
            return None
        return parse_tty(asked.stdout)

    def variable(self, pid: int, name: str) -> str | None:
        try:
            return psutil.Process(pid).environ().get(name, "")
        except (psutil.Error, OSError):
            return None

    def cwd(self, pid: int) -> str | None:
        try:
            return psutil.Process(pid).cwd() or None
        except (psutil.Error, OSError):
            return None

    def forget(self) -> None:
        """What was scanned belongs to the tick that is over."""
        self._by_parent = None


def _look(process: psutil.Process) -> Proc | None:
    with process.oneshot():
        state = process.status()
        if state == psutil.STATUS_ZOMBIE:
            return None
        # create_time() follows the wall clock when somebody sets it; this one stays what it was.
        raw = process._ident[1]  # type: ignore[attr-defined]  # noqa: SLF001
        if raw is None:
            raise psutil.AccessDenied(process.pid)
        is_stopped = state == psutil.STATUS_STOPPED
        return Proc(process.pid, process.ppid() or 0, start_text(raw), began(raw), process.name(), stopped=is_stopped)


if sys.platform == "linux":

    def start_text(raw: float) -> str:
        return str(round(raw * os.sysconf("SC_CLK_TCK")))

    def began(raw: float) -> float:
        return raw

else:

    def start_text(raw: float) -> str:
        return lstart(raw)

    def began(raw: float) -> float:
        return since_boot(raw, time.time(), time.clock_gettime(time.CLOCK_MONOTONIC))


def lstart(raw: float) -> str:
    """As `LC_ALL=C TZ=UTC ps -o lstart=` prints it, which is what the client keeps on macOS."""
    return time.asctime(time.gmtime(int(raw)))


def since_boot(raw: float, wall: float, tick: float) -> float:
    """From the wall clock at its start to the clock since boot, by its age."""
    return tick - (wall - raw)


def parse_tty(line: bytes) -> str | None:
    """Of `ps -o tty=`: a name below /dev, or question marks for none."""
    name = line.decode("utf-8", "replace").strip()
    return f"/dev/{name}" if name and name.strip("?-") else None


def cut(argv: list[str]) -> tuple[str, ...]:
    """The arguments up to a bound in all."""
    kept, room = [], ARGV_CHARACTERS
    for word in argv:
        if room <= 0:
            break
        kept.append(word[:room])
        room -= len(word) + 1
    return tuple(kept)
