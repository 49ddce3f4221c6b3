"""Lines of JSON as clients write them, and the times in them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from contract.wire import decode

LONGEST_STAMP = 40

Record = dict[str, Any]


def record_of(line: bytes) -> Record | None:
    """None for anything but an object.

    Some file systems leave NUL bytes after a crash, and the next line follows right behind them.
    """
    try:
        found = decode(line.strip(b"\0\r\n"))
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def seconds(stamp: object) -> float | None:
    """On the wall clock; None for what is no time. One without a zone is of Greenwich."""
    if not isinstance(stamp, str) or len(stamp) > LONGEST_STAMP:
        return None
    try:
        moment = datetime.fromisoformat(stamp)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None
