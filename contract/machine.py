"""Where a process id means what it says: this host, since this boot, in this pid namespace.

A home may be shared with a container or another host. A pid that was noted there names a stranger here.
"""

from __future__ import annotations

import posix

BOOT_ID = "/proc/sys/kernel/random/boot_id"
PID_NAMESPACE = "/proc/self/ns/pid"
NAME_LENGTH = 64


def here() -> tuple[str, str, str]:
    """Host, boot and pid namespace; '' for what this system does not tell."""
    return posix.uname().nodename[:NAME_LENGTH], _boot(), _pids()


def _boot() -> str:
    try:
        fd = posix.open(BOOT_ID, posix.O_RDONLY | posix.O_CLOEXEC)
    except OSError:
        return ""
    try:
        return posix.read(fd, NAME_LENGTH).decode("ascii", "replace").strip()
    except OSError:
        return ""
    finally:
        posix.close(fd)


def _pids() -> str:
    try:
        return posix.readlink(PID_NAMESPACE)[:NAME_LENGTH]
    except OSError:
        return ""
