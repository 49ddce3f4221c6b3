"""Whether inotify, which reports file changes at once, still has room: Linux limits its use for each user."""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from typing import TYPE_CHECKING

from contract.clean import clean
from installer.doctor.check import OK, WARN, Check

if TYPE_CHECKING:
    from installer.doctor.probes import Seen

SYSCTL = "/proc/sys/fs/inotify/"
ANYTHING = 0x00000FFF  # IN_ALL_EVENTS
NAME = "file events"


def trouble(folder: str, platform: str = sys.platform) -> str:
    """Why inotify cannot watch this folder; '' if it can. It has to be tried: the kernel does not show what is left."""
    if platform != "linux":
        return ""
    libc = ctypes.CDLL(None, use_errno=True)
    fd = libc.inotify_init1(os.O_CLOEXEC)
    if fd < 0:
        return _words("instances") if ctypes.get_errno() == errno.EMFILE else ""
    try:
        if libc.inotify_add_watch(fd, os.fsencode(folder), ANYTHING) < 0 and ctypes.get_errno() == errno.ENOSPC:
            return _words("watches")
    finally:
        os.close(fd)
    return ""


def judge(seen: Seen) -> Check:
    """What the running watcher reports; without a watcher, what a new one would meet."""
    reported = clean(getattr(seen.beat, "polling", ""), 200) if seen.watcher_alive else ""
    reason = reported or seen.file_events
    if not reason:
        return Check(NAME, OK, "arrive at once")
    remedy = (
        "Nothing is lost, because it polls. To raise the limits: `sudo sysctl fs.inotify.max_user_instances=1024 "
        "fs.inotify.max_user_watches=524288`; or end programs that use many."
    )
    return Check(NAME, WARN, f"the watcher notices some changes a second or two late: {reason}", remedy)


def _words(what: str) -> str:
    return f"all {_limit(what)} inotify {what} of your user are in use".replace("  ", " ")


def _limit(what: str) -> str:
    try:
        with open(f"{SYSCTL}max_user_{what}", encoding="ascii") as file:
            return file.read().strip()
    except (OSError, ValueError):
        return ""
