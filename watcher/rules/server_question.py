"""The question of an MCP server, which asks through whichever agent has called it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from watcher.rules.pace import HOOK_S
from watcher.rules.times import latest, tick

if TYPE_CHECKING:
    from watcher.rules.view import View


def asked_at(view: View) -> float | None:
    """When the oldest that is not answered was asked."""
    return min((ask.at for ask in view.asks if ask.is_form and not ask.answered), default=None)


def is_over(view: View, asked: float) -> bool:
    """Its result may have been lost. A sub-agent's question is told as main's, which may well stop meanwhile."""
    # Nobody can write a prompt while a form is open.
    prompted = latest([tick(view.agent.fact.human) if view.agent.fact else None])
    return prompted > asked + HOOK_S or (view.closed_since(asked) and not view.background.has_agents)
