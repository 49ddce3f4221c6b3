"""A small file that a client keeps up to date, read whole. A link, or what is no file, is none."""

from __future__ import annotations

import os
import stat

OPEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def info(path: str) -> os.stat_result | None:
    try:
        found = os.stat(path, follow_symlinks=False)
    except OSError:
        return None
    return found if stat.S_ISREG(found.st_mode) else None


def read(path: str, largest: int) -> bytes:
    """Nothing for a file that is gone, too large, or no file at all by now."""
    try:
        fd = os.open(path, OPEN)
    except OSError:
        return b""
    try:
        data = os.read(fd, largest + 1) if stat.S_ISREG(os.fstat(fd).st_mode) else b""
        return data if len(data) <= largest else b""
    except OSError:
        return b""
    finally:
        os.close(fd)
