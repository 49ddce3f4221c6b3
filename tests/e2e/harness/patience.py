"""Waiting for what this process can only look at, not be told of."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import psutil

from support.patience import PATIENCE_S

if TYPE_CHECKING:
    from collections.abc import Callable


__all__ = ["PATIENCE_S", "ended", "until"]


def until(holds: Callable[[], object], seconds: float = PATIENCE_S, otherwise: Callable[[], str] = lambda: "") -> None:
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise TimeoutError(otherwise())
        time.sleep(0.02)


def ended(process: psutil.Process) -> bool:
    """Whether it runs no more. Where nobody buries orphans, a zombie stays behind: that one has ended, too."""
    try:
        return process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True
