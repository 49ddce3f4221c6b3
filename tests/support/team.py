"""A lead, its team, and what they are told."""

from typing import Any

from contract.facts import Fact
from support.builders import call, event
from support.cases import facts_of

LEAD = "b9e5af69-d31d-4b6b-afe9-09d26010f114"
MATE = "119a7650-1c0e-483c-a74b-c9a0e952025c"
TEAM = "session-b9e5af69"


def told(name: str, tool: str, at: float = 12.0) -> tuple[float, dict[str, Any]]:
    words = f"{name} needs permission for {tool}"
    return at, event("Notification", notification_type="worker_permission_prompt", message=words)


def lead_of(team: str, *names: str, at: float = 5.0) -> Fact:
    """Each is called for half a second before that call has ended."""
    made: list[tuple[float, dict[str, Any]]] = []
    for k, name in enumerate(names):
        more: dict[str, Any] = {"tool": "Agent", "given": {"name": name}}
        answer = {"agentId": f"{name}@{team}", "team_name": team}
        made.append((at + k - 0.5, call("PreToolUse", f"s{k}", **more)))
        made.append((at + k, call("PostToolUse", f"s{k}", **more, tool_response=answer)))
    return facts_of(made)["main"]
