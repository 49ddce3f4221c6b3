"""What another process has spent of a core."""

from __future__ import annotations

import platform
import time

import psutil

# Of <linux/posix-timers.h>: the clock of a whole process, in nanoseconds; /proc counts in hundredths of a second.
SCHEDULED = 2


def spent(pid: int) -> float:
    """Seconds since its start, of all its threads."""
    if platform.system() == "Linux":
        return time.clock_gettime((~pid << 3) | SCHEDULED)
    times = psutil.Process(pid).cpu_times()
    return times.user + times.system
