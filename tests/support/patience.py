"""Waiting for what another process or thread does: for the event, never for time to pass.

A patience is used up only by what will never come, so it is far longer than the slowest machine needs. It is shorter
than the limit of a test, so that the test can say what it waited for.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE_S = 60.0
FOREVER_S = 3600.0  # who waits so long in vain is ended by the limit of the test: it fails


def until(holds: Callable[[], Any], what: str | Callable[[], str] = "", seconds: float = PATIENCE_S) -> Any:
    """What `holds` finds, once it finds something."""
    end = time.monotonic() + seconds
    while not (found := holds()):
        assert time.monotonic() < end, f"never came: {what() if callable(what) else what}"
        time.sleep(0.01)
    return found
