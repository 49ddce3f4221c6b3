"""The line that Linux has on a process, /proc/<pid>/stat, as every room reads it."""

from __future__ import annotations

import posix

# Fields that follow the name, the state first.
STATE, PPID, TTY, FLAGS, THREADS, START = 0, 1, 4, 6, 17, 19


def stat(line: bytes) -> tuple[str, list[bytes]]:
    """The name and the fields that follow it; none if the line does not reach as far as the start.

    The name may hold spaces and brackets; nothing after its last bracket does.
    """
    head, _, tail = line.rpartition(b")")
    fields = tail.split()
    return head.partition(b"(")[2].decode("utf-8", "replace"), fields if len(fields) > START else []


def line(pid: int) -> bytes:
    """b"" if there is no such process, or no such file."""
    try:
        fd = posix.open(f"/proc/{pid}/stat", posix.O_RDONLY | posix.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return posix.read(fd, 4096)
    except OSError:
        return b""
    finally:
        posix.close(fd)


def start(pid: int) -> str:
    """When it started, as Linux counts it; '' where that cannot be known."""
    _, fields = stat(line(pid))
    return fields[START].decode() if fields else ""


def exists(pid: int) -> bool:
    try:
        posix.kill(pid, 0)
    except PermissionError:
        return True
    except OSError:
        return False
    return True
