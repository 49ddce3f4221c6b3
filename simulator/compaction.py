"""A compaction: by hand, which may be refused, fail or be cancelled; or by the client itself in mid-turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simulator import lines
from simulator.outlet import EscapeError

if TYPE_CHECKING:
    from simulator.agent import Agent
    from simulator.client import Client
    from simulator.stage import Play


def by_hand(client: Client, how: str, takes: float) -> Play:
    """`how`: done, refused or failed; it is cancelled by an interruption."""
    main = client.main
    try:
        if how == "done":
            yield from compaction(main, "manual", takes)
        else:
            yield from main.hook("PreCompact", trigger="manual", custom_instructions=None)
            yield takes if how == "failed" else main.delay("compaction")
    except EscapeError:
        main.line(lines.caveat())
        return
    finally:
        client.keyboard.is_compacting = False
    if how == "failed":
        inner = {"agent_id": _inner(client), "agent_type": "", "error": "unknown"}
        client.outlet.async_hook(client.payload("StopFailure", **inner))
    said = lines.printed("Compacted") if how == "done" else lines.local("Error")
    for record in (lines.caveat(), lines.command("compact"), said):
        main.line(record)


def compaction(agent: Agent, trigger: str, takes: float) -> Play:
    """Done by agents of the client's own, which no row should show."""
    client = agent.client
    yield from agent.hook("PreCompact", trigger=trigger, custom_instructions=None)
    yield takes
    for _ in range(2):
        stop = {"agent_id": _inner(client), "agent_type": "", "background_tasks": client.tasks, "session_crons": []}
        yield from client.outlet.hook(client.payload("SubagentStop", **stop))
        yield agent.delay("compaction")
    yield from agent.hook("SessionStart", source="compact")
    yield from agent.hook("PostCompact", trigger=trigger, compact_summary="done")
    for record in lines.compacted(trigger):
        agent.line(record)


def _inner(client: Client) -> str:
    return f"ac{client.world.number('inner'):015x}"
