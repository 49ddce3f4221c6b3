"""What Copilot CLI tells its hook: a prompt, as it tells of no call."""

from __future__ import annotations

from typing import Any

from bench.payloads import MOMENT, PLACE


def payload(number: int) -> dict[str, Any]:
    return {**PLACE, **MOMENT, "hook_event_name": "UserPromptSubmit", "prompt": f"please do it, part {number}"}
