"""What Claude Code tells its hook: the next call begins."""

from __future__ import annotations

from typing import Any

from bench import events
from bench.payloads import SESSION


def payload(number: int) -> dict[str, Any]:
    if not number:
        return events.event(SESSION, "UserPromptSubmit", prompt="please do it")
    return events.event(SESSION, "PreToolUse", **events.call(number))
