"""What a client prints for programs: one JSON object, a list of them, or one in each line. Pure."""

from __future__ import annotations

import json
from typing import Any

from contract.clean import clean

Object = dict[str, Any]


def lines(output: bytes) -> list[Object]:
    """The objects among its lines, in order."""
    return [found for line in output.splitlines() if (found := fields(_value(line)))]


def last(output: bytes) -> Object | None:
    """The object that it prints at its end; of a list or a stream of them, the last one."""
    for text in (output, *reversed(output.splitlines())):
        value = _value(text)
        if value is not None:
            value = value[-1] if isinstance(value, list) and value else value
            return value if isinstance(value, dict) else None
    return None


def fields(value: Any) -> Object:
    return value if isinstance(value, dict) else {}


def denied(raw: Any) -> tuple[str, ...]:
    """The names of tools in a list of denials."""
    names = [one.get("tool_name") for one in raw if isinstance(one, dict)] if isinstance(raw, list) else []
    return tuple(name for name in (clean(name, 80) for name in names) if name)


def _value(text: bytes) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
