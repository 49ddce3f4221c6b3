"""The file system of the state folder: whether it is writable, has free space and supports the locks of the hooks."""

from __future__ import annotations

import fcntl
import os
import re
from typing import TYPE_CHECKING, NamedTuple

from contract import heldfile, paths
from installer.doctor.check import FAIL, OK, WARN, Check

if TYPE_CHECKING:
    from collections.abc import Iterable

MOUNTS = "/proc/self/mounts"
NEEDED = 1 << 20  # bytes that a day of facts, statuses and logs takes at least
OF_NETWORKS = frozenset(["nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "ceph", "fuse.sshfs", "fuse.glusterfs", "9p"])
LOCAL = "Set YOURTURN_HOME to a folder on a local disk, for the client too."
NAME = "file system"


class Volume(NamedTuple):
    is_read_only: bool = False
    free: int | None = None
    """Bytes that this user can still write; None if unknown."""
    has_flock: bool = True
    kind: str = ""


def look(home: str) -> Volume | None:
    """None for a folder that does not exist or cannot be reached."""
    try:
        seen = os.statvfs(home)
    except OSError:
        return None
    blocks = seen.f_bfree if os.geteuid() == 0 else seen.f_bavail
    has_no_inode = seen.f_files > 0 and seen.f_ffree == 0  # some file systems do not count them
    free = 0 if has_no_inode else blocks * seen.f_frsize
    return Volume(bool(seen.f_flag & os.ST_RDONLY), free, _has_flock(home), _kind(home))


def judge(volume: Volume | None, home: str) -> Check | None:
    """None for a folder that does not exist: another check reports that."""
    if volume is None:
        return None
    if volume.is_read_only:
        return Check(NAME, FAIL, f"{home} is mounted read-only", f"Mount it writable, or: {LOCAL}")
    if volume.free is not None and volume.free < NEEDED:
        words = f"full: {volume.free >> 10} KB are free for {home}, so events are lost"
        return Check(NAME, FAIL, words, "Free some space; nothing else is needed.")
    if not volume.has_flock:
        words = f"{volume.kind or 'it'} does not support flock: events are recorded, but no watcher can start"
        return Check(NAME, FAIL, words, LOCAL)
    if volume.kind in OF_NETWORKS:
        words = f"{home} is on a network file system ({volume.kind}): changes by other hosts are seen late"
        return Check(NAME, WARN, words, LOCAL)
    return Check(NAME, OK, f"{volume.kind or 'local'}, with free space and locks")


def kind_of(path: str, mounts: Iterable[str]) -> str:
    """From the lines of /proc/self/mounts: of the nearest mount point above the path; the last if two are stacked."""
    best, kind = "", ""
    for line in mounts:
        _, point, type_, *_ = [*line.split(" "), "", "", ""]
        point = re.sub(r"\\([0-7]{3})", lambda match: chr(int(match.group(1), 8)), point)
        if (path + "/").startswith(point.rstrip("/") + "/") and len(point) >= len(best):
            best, kind = point, type_
    return kind


def _kind(home: str) -> str:
    try:
        with open(MOUNTS, encoding="utf-8", errors="surrogateescape") as file:
            return kind_of(os.path.realpath(home), file)
    except OSError:
        return ""


def _has_flock(home: str) -> bool:
    """Tried with an existing lock file, because doctor creates none. If another process holds it, flock works too."""
    for path in _locks(home):
        try:
            fd = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
        except OSError:
            continue
        try:
            fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError as error:
            return error.errno not in heldfile.NO_FLOCK
        finally:
            os.close(fd)
        return True
    return True


def _locks(home: str) -> list[str]:
    try:
        names = [name for name in os.listdir(paths.fact_dir(home)) if name.endswith(".lock")]
    except OSError:
        names = []
    return [paths.starting_lock(home), *(f"{paths.fact_dir(home)}/{name}" for name in names[:1])]
