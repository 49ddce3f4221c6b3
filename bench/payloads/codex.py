"""What Codex tells its hook: the next call begins."""

from __future__ import annotations

from typing import Any

from bench import events
from bench.payloads import PLACE


def payload(number: int) -> dict[str, Any]:
    common = {**PLACE, "turn_id": "01a1e3c7-5e40-7f22", "model": "gpt-5.1-codex", "permission_mode": "default"}
    if not number:
        return {**common, "hook_event_name": "UserPromptSubmit", "prompt": "please do it"}
    return {**common, "hook_event_name": "PreToolUse", **events.call(number)}
