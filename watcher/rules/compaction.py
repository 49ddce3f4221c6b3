"""The compaction of a conversation: when it began, and whether it is over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from watcher.rules.pace import LAG_S, SETTLE_S
from watcher.rules.times import latest, tick

if TYPE_CHECKING:
    from watcher.rules.agent import Agent
    from watcher.rules.view import View


def begun_at(agent: Agent) -> float | None:
    return tick(agent.fact.compacting) if agent.fact else None


def is_over(view: View, begun: float) -> bool:
    """Done, refused, cancelled or failed. No hook tells of the last three, only the lines that a command leaves."""
    agent, turn = view.agent, view.agent.turn
    lines = (turn.compacted_at, turn.local_at) if turn else ()
    if latest([_hook_told_at(agent), agent.interrupted_at, *lines]) > begun:
        return True
    is_idle = view.is_idle_now and view.now > begun + LAG_S
    return is_idle or view.closed_since(begun + SETTLE_S)


def ended_at(agent: Agent) -> float:
    """Until when it kept everything else back. Only a line of the transcript tells that it was refused."""
    refused = agent.turn.local_at if agent.turn and begun_at(agent) is not None else None
    return latest([_hook_told_at(agent), refused])


def _hook_told_at(agent: Agent) -> float | None:
    return tick(agent.fact.compacted) if agent.fact else None
