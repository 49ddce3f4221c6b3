"""The line that Linux has on a process, /proc/<pid>/stat, as every room reads it."""

from __future__ import annotations

# Fields that follow the name, the state first.
STATE, PPID, TTY, FLAGS, THREADS, START = 0, 1, 4, 6, 17, 19


def stat(line: bytes) -> tuple[str, list[bytes]]:
    """The name and the fields that follow it; none if the line does not reach as far as the start.

    The name may hold spaces and brackets; nothing after its last bracket does.
    """
    head, _, tail = line.rpartition(b")")
    fields = tail.split()
    return head.partition(b"(")[2].decode("utf-8", "replace"), fields if len(fields) > START else []
