"""What all JSON for other programs has in common: its version, whether it is up to date, how it is written."""

from __future__ import annotations

import json

from statusbar.text import ages

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from statusbar.model.snapshot import Statuses

VERSION = 1


def freshness(statuses: Statuses, now: float) -> dict[str, Any]:
    """Whether the statuses are up to date (`known`), and when they last were (`as_of`)."""
    is_known = statuses.is_well(now)
    return {"known": is_known, "as_of": now if is_known else last_beat(statuses)}


def last_beat(statuses: Statuses) -> float | None:
    return ages.moment(statuses.heartbeat.beat) if statuses.heartbeat else None


def as_text(record: dict[str, Any], *, indent: int | None = None) -> str:
    return json.dumps(record, indent=indent, allow_nan=False)
