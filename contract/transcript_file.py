"""Which files may be opened as a transcript.

A payload may name any file, so here is all that is asked of one:

- its name ends in `.jsonl`, and so does the name of what it links to: no link leads to a key file;
- neither lies below /proc, /sys or /dev, where reading may block, act, or never end; /dev/shm is a disk like others;
- it is a regular file, asked before it is opened and again of what was opened: something may have taken its place;
- it belongs to this user or to root: what anybody else lays down is not this user's session. Root reads
  everybody's, because in a container it is root who works in a person's home.

The folders above it may be links, and may lie anywhere: a client's folder may be elsewhere, worktrees move files. What
this cannot see is a key file to which somebody made a hard link that ends in `.jsonl`: whoever can do that can
read it.
"""

from __future__ import annotations

import os
import stat

SUFFIX = ".jsonl"
SYSTEM, DISK = ("/proc/", "/sys/", "/dev/"), "/dev/shm/"  # noqa: S108 - nothing is written there
# A FIFO may have taken the file's place since it was looked at: without O_NONBLOCK it would hold us for ever.
FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY | os.O_NOFOLLOW


class UnfitError(OSError):
    """Not to be opened."""


def opened(path: str) -> int:
    """A descriptor to read it with. Whoever reads checks again what was opened."""
    return os.open(real_name(path), FLAGS)


def beginning(path: str, most: int) -> bytes:
    """The first bytes, at most so many, of a transcript or a file beside it; b"" if it is a link or cannot be read."""
    try:
        check(os.lstat(path))
        fd = os.open(path, FLAGS)
    except (OSError, ValueError):
        return b""
    try:
        check(os.fstat(fd))
        return os.pread(fd, most, 0)
    except OSError:
        return b""
    finally:
        os.close(fd)


def real_name(path: str) -> str:
    """The name to open, without links."""
    found = os.path.realpath(path)
    if not (_is_named_so(os.path.normpath(path)) and _is_named_so(found)):
        raise UnfitError(path)
    return found


def check(found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode) or not (found.st_uid in (os.geteuid(), 0) or os.geteuid() == 0):
        raise UnfitError


def _is_named_so(path: str) -> bool:
    rooted = f"/{path.lstrip('/')}"
    return rooted.endswith(SUFFIX) and (rooted.startswith(DISK) or not rooted.startswith(SYSTEM))
