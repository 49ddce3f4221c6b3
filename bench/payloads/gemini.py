"""What Gemini CLI tells its hook: the next call begins."""

from __future__ import annotations

from typing import Any

from bench import events
from bench.payloads import MOMENT, PLACE


def payload(number: int) -> dict[str, Any]:
    if not number:
        return {**PLACE, **MOMENT, "hook_event_name": "BeforeAgent", "prompt": "please do it"}
    call = {"tool_name": "run_shell_command", "tool_input": events.call(number)["tool_input"]}
    return {**PLACE, **MOMENT, "hook_event_name": "BeforeTool", **call}
