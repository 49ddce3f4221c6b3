"""What OpenCode tells its hook: the next call begins."""

from __future__ import annotations

from typing import Any

from bench import events
from bench.payloads import PLACE, SESSION


def payload(number: int) -> dict[str, Any]:
    common = {"session": SESSION, "cwd": PLACE["cwd"]}
    if not number:
        return {**common, "event": "session.busy", "turn": "", "source": "startup"}
    about = events.call(number)["tool_input"]
    return {**common, "event": "tool.began", "call": f"call_{number:016x}", "tool": "bash", "about": about}
