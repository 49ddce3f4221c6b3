"""The file system that the state folder lies on: whether it takes what hooks write, and locks as they need it."""

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
ROOM = 1 << 20  # what a day of facts, statuses and logs takes at least
OF_NETWORKS = frozenset(["nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "ceph", "fuse.sshfs", "fuse.glusterfs", "9p"])
LOCAL = "Let YOURTURN_HOME name a folder on a local disk, for the client too."
NAME = "file system"


class Volume(NamedTuple):
    is_read_only: bool = False
    free: int | None = None
    """Bytes that we may still write; None if that cannot be told."""
    has_flock: bool = True
    kind: str = ""


def look(home: str) -> Volume | None:
    """None for a folder that is not there or cannot be reached."""
    try:
        seen = os.statvfs(home)
    except OSError:
        return None
    blocks = seen.f_bfree if os.geteuid() == 0 else seen.f_bavail
    has_no_inode = seen.f_files > 0 and seen.f_ffree == 0  # some file systems do not count them
    free = 0 if has_no_inode else blocks * seen.f_frsize
    return Volume(bool(seen.f_flag & os.ST_RDONLY), free, _has_flock(home), _kind(home))


def judge(volume: Volume | None, home: str) -> Check | None:
    """Nothing of a folder that is not there: that is told in its place."""
    if volume is None:
        return None
    if volume.is_read_only:
        return Check(NAME, FAIL, f"{home} is mounted read-only", f"Mount it so that it can be written, or: {LOCAL}")
    if volume.free is not None and volume.free < ROOM:
        words = f"full: {volume.free >> 10} KB are free where {home} lies, so events are lost"
        return Check(NAME, FAIL, words, "Make room there; nothing else has to be done.")
    if not volume.has_flock:
        words = f"{volume.kind or 'it'} has no flock: events are kept, but no watcher can start"
        return Check(NAME, FAIL, words, LOCAL)
    if volume.kind in OF_NETWORKS:
        words = f"{home} lies on a network ({volume.kind}): what another host writes is seen late"
        return Check(NAME, WARN, words, LOCAL)
    return Check(NAME, OK, f"{volume.kind or 'local'}, with room and locks")


def kind_of(path: str, mounts: Iterable[str]) -> str:
    """From the lines of /proc/self/mounts: the one that is nearest above the path, the last one if two are stacked."""
    best, kind = "", ""
    for line in mounts:
        _, point, found, *_ = [*line.split(" "), "", "", ""]
        point = re.sub(r"\\([0-7]{3})", lambda match: chr(int(match.group(1), 8)), point)
        if (path + "/").startswith(point.rstrip("/") + "/") and len(point) >= len(best):
            best, kind = point, found
    return kind


def _kind(home: str) -> str:
    try:
        with open(MOUNTS, encoding="utf-8", errors="surrogateescape") as file:
            return kind_of(os.path.realpath(home), file)
    except OSError:
        return ""


def _has_flock(home: str) -> bool:
    """Tried with a lock file that is there: doctor makes none. A lock that somebody holds is one too."""
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
