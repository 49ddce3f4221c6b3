"""What time it is, on the clocks that facts are dated with."""

from __future__ import annotations

import time

from contract.facts import Stamp

BOOT = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


def stamp() -> Stamp:
    return Stamp((round(time.time(), 6), round(since_boot(), 6)))


def since_boot() -> float:
    return time.clock_gettime(BOOT)
