"""What Qwen Code tells its hook: the next call begins."""

from __future__ import annotations

from typing import Any

from bench import events
from bench.payloads import MOMENT, PLACE


def payload(number: int) -> dict[str, Any]:
    if not number:
        return {**PLACE, **MOMENT, "hook_event_name": "UserPromptSubmit", "prompt": "please do it"}
    call = {**events.call(number), "tool_name": "run_shell_command"}
    return {**PLACE, **MOMENT, "hook_event_name": "PreToolUse", **call}
