"""Times that may be missing, all in seconds since boot."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from contract.facts import Stamp

NEVER = float("-inf")


def tick(stamp: Stamp | None) -> float | None:
    return stamp.boot if stamp else None


def latest(times: Iterable[float | None]) -> float:
    """Of those that are known; NEVER if none is."""
    return max((at for at in times if at is not None), default=NEVER)
