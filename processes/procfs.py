"""What Linux tells of its processes, read from /proc alone: to answer for one pid no table is scanned."""

from __future__ import annotations

import contextlib
import os
from functools import cached_property

from contract import proc_stat
from contract.proc_stat import FLAGS, PPID, START, STATE, THREADS, TTY
from processes.process import Proc

TICKS = os.sysconf("SC_CLK_TCK")
STAT_BYTES = 4096
ARGV_BYTES = 1 << 16
ENVIRON_BYTES = 1 << 22
CHILDREN_BYTES = 1 << 20
MANY = 8192

DEAD = b"ZXx"
STOPPED = b"T"  # not `t`: that one is being traced
FORKED = 0x40  # PF_FORKNOEXEC of the kernel: forked, no exec since
PTY_MAJORS = range(136, 144)
CONSOLE_MAJOR = 4
CONSOLES = 64


class Procfs:
    """`row` is None for a process that is gone, and raises OSError where nothing can be said."""

    def __init__(self, root: str = "/proc") -> None:
        self._root = root
        self._by_parent: dict[int, list[int]] | None = None
        self._lines: dict[int, tuple[bytes, Proc | None]] = {}  # as read last: one that does nothing has the same

    def row(self, pid: int) -> Proc | None:
        self._trust()
        try:
            line = self._read(f"{pid}/stat", STAT_BYTES, is_line=True)
        except (FileNotFoundError, ProcessLookupError):
            if exists(pid):
                raise PermissionError(f"/proc hides {pid}") from None
            self._lines.pop(pid, None)
            return None
        known = self._lines.get(pid)
        if known is None or known[0] != line:
            if len(self._lines) > MANY:
                self._lines.clear()
            known = self._lines[pid] = line, parse_stat(line)
        return known[1]

    def children(self, pid: int) -> list[int]:
        if not self._lists_children:
            return self._scan().get(pid, [])
        found: list[int] = []
        # A child belongs to the thread that started it, which need not be the first one.
        for task in self._names(f"{pid}/task"):
            with contextlib.suppress(OSError):
                found += map(int, self._read(f"{pid}/task/{task}/children", CHILDREN_BYTES).split())
        return found

    def pids(self) -> list[int]:
        return [int(name) for name in self._names("") if name.isdigit()]

    def is_mine(self, pid: int) -> bool:
        try:
            return os.stat(f"{self._root}/{pid}").st_uid == os.geteuid()
        except OSError:
            return False

    def argv(self, pid: int) -> tuple[str, ...]:
        try:
            return parse_argv(self._read(f"{pid}/cmdline", ARGV_BYTES))
        except OSError:
            return ()

    def agent_mode(self, pid: int) -> bool | None:
        try:
            return flagged(self._read(f"{pid}/environ", ENVIRON_BYTES))
        except OSError:
            return None

    def tty(self, pid: int) -> str | None:
        try:
            _, fields = proc_stat.stat(self._read(f"{pid}/stat", STAT_BYTES))
            return tty_path(int(fields[TTY]))
        except (OSError, IndexError, ValueError):
            return None

    def variable(self, pid: int, name: str) -> str | None:
        try:
            return variable(self._read(f"{pid}/environ", ENVIRON_BYTES), name)
        except OSError:
            return None

    def cwd(self, pid: int) -> str | None:
        try:
            return os.readlink(f"{self._root}/{pid}/cwd")
        except OSError:
            return None

    def forget(self) -> None:
        """What was scanned belongs to the tick that is over."""
        self._by_parent = None

    def _trust(self) -> None:
        """In a pid namespace with the /proc of another one, every number here means a stranger."""
        if not self._is_ours:
            raise PermissionError("/proc belongs to another pid namespace")

    @cached_property
    def _is_ours(self) -> bool:
        try:
            return os.readlink(f"{self._root}/self") == str(os.getpid())
        except OSError:
            return False

    @cached_property
    def _lists_children(self) -> bool:
        """Not every kernel is built with these lists."""
        return os.path.exists(f"{self._root}/self/task/{os.getpid()}/children")

    def _scan(self) -> dict[int, list[int]]:
        if self._by_parent is None:
            self._by_parent = {}
            for pid in self.pids():
                with contextlib.suppress(OSError):
                    if proc := self.row(pid):
                        self._by_parent.setdefault(proc.ppid, []).append(pid)
        return self._by_parent

    def _names(self, folder: str) -> list[str]:
        try:
            return os.listdir(f"{self._root}/{folder}")
        except OSError:
            return []

    def _read(self, name: str, limit: int, *, is_line: bool = False) -> bytes:
        fd = os.open(f"{self._root}/{name}", os.O_RDONLY | os.O_CLOEXEC)
        try:
            data = os.read(fd, limit)
            # The kernel hands long lists out page by page, and a number may be cut at the edge.
            while data and not is_line and len(data) < limit and (more := os.read(fd, limit - len(data))):
                data += more
            return data
        finally:
            os.close(fd)


def exists(pid: int) -> bool:
    """Whether the kernel knows it, be it somebody else's."""
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def parse_stat(line: bytes) -> Proc | None:
    """Of /proc/<pid>/stat; None for a zombie."""
    name, fields = proc_stat.stat(line)
    if not fields:
        raise OSError("no stat line")
    # A first thread that has ended looks like a zombie while the others go on.
    if fields[STATE] in DEAD and int(fields[THREADS]) <= 1:
        return None
    start = fields[START].decode()
    forked = bool(int(fields[FLAGS]) & FORKED)
    pid, ppid, began = int(line.split(None, 1)[0]), int(fields[PPID]), int(start) / TICKS
    return Proc(pid, ppid, start, began, name, forked=forked, stopped=fields[STATE] == STOPPED)


def parse_argv(block: bytes) -> tuple[str, ...]:
    """Of /proc/<pid>/cmdline. A program that gave itself a title leaves empty arguments behind it."""
    return tuple(block.rstrip(b"\0").decode("utf-8", "replace").split("\0")) if block.strip(b"\0") else ()


def flagged(environ: bytes) -> bool:
    """Whether AGENT_MODE is exactly 1; no other name of the block is looked at."""
    _, found, rest = (b"\0" + environ).partition(b"\0AGENT_MODE=")
    return bool(found) and rest.partition(b"\0")[0] == b"1"


def variable(environ: bytes, name: str) -> str:
    """'' if it is not set; no other name of the block is looked at."""
    _, _, rest = (b"\0" + environ).partition(b"\0" + name.encode() + b"=")
    return os.fsdecode(rest.partition(b"\0")[0])


def tty_path(device: int) -> str | None:
    major, minor = os.major(device), os.minor(device)
    if major in PTY_MAJORS:
        return f"/dev/pts/{(major - PTY_MAJORS.start) * 256 + minor}"
    return f"/dev/tty{minor}" if major == CONSOLE_MAJOR and minor < CONSOLES else None
