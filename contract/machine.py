"""Where a process id means what it says: this host, since this boot, in this pid namespace.

A home may be shared with a container or another host. A pid that was noted there names a stranger here.
"""

from __future__ import annotations

import posix

BOOT_ID = "/proc/sys/kernel/random/boot_id"
PID_NAMESPACE = "/proc/self/ns/pid"
TIME_NAMESPACE = "/proc/self/ns/time"
SET_OFF = "/proc/self/timens_offsets"  # by how many seconds the clocks since boot are off in there
NAME_LENGTH = 64


def here() -> tuple[str, str, str]:
    """Host, boot and pid namespace; '' for what this system does not tell."""
    return posix.uname().nodename[:NAME_LENGTH], _read(BOOT_ID)[:NAME_LENGTH], _pids()


def _pids() -> str:
    """With the time namespace, if it has clocks of its own: in there a process has another start than outside."""
    is_off = any(word.lstrip("-").isdigit() and int(word) for word in _read(SET_OFF).split())
    return f"{_link(PID_NAMESPACE)} {_link(TIME_NAMESPACE)}" if is_off else _link(PID_NAMESPACE)


def _link(path: str) -> str:
    try:
        return posix.readlink(path)[:NAME_LENGTH]
    except OSError:
        return ""


def _read(path: str) -> str:
    try:
        fd = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
    except OSError:
        return ""
    try:
        return posix.read(fd, 256).decode("ascii", "replace").strip()
    except OSError:
        return ""
    finally:
        posix.close(fd)
