"""One line of a transcript as a record, and the fields of one: whatever a client or somebody else has written there."""

from __future__ import annotations

import json
from typing import Any

MOST_TOKENS = 10**9


def of_line(line: bytes) -> dict[str, Any]:
    """Empty for garbage."""
    try:
        return fields(json.loads(line))
    except (ValueError, RecursionError):
        return {}


def fields(raw: object) -> dict[str, Any]:
    return raw if isinstance(raw, dict) else {}


def items(raw: object) -> list[dict[str, Any]]:
    return [item for item in raw if isinstance(item, dict)] if isinstance(raw, list) else []


def tokens(raw: object) -> int | None:
    """None for what cannot be a number of tokens."""
    return raw if type(raw) is int and 0 <= raw <= MOST_TOKENS else None
