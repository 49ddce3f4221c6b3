"""Copilot CLI: sub-agents of a real session, right within 2 s and without a flicker."""

from __future__ import annotations

from typing import TYPE_CHECKING

from e2e.agents.clients.copilot import STAYS, interrupt, shell, spawn, stay
from e2e.harness.script import play, text
from e2e.harness.truth import needs_approval, sub, waiting, working

if TYPE_CHECKING:
    from e2e.agents.agent import Agent
    from e2e.agents.watched import WatchedAgents


def test_a_sub_agent_that_asks_needs_you(watched: WatchedAgents, agent: Agent) -> None:
    door = watched.place.door("proj/door")
    watched.api.scripts["kid"] = [stay(door), text("Kid is done.", hold="kid")]
    watched.api.scripts["main"] = [spawn("kid", play("kid")), text("Main is done.", hold="main")]
    agent.say(play("main"))
    watched.passes("prompt", working())
    agent.wait_for_request()
    watched.becomes("asks", working("Agent: kid"), sub(needs_approval(STAYS)))
    watched.holds(1)
    agent.answer("Enter")
    with watched.command_runs(door):
        watched.becomes("approved", working("Agent: kid"), sub(working(STAYS)))
        watched.holds(1)
    watched.reached("kid")
    watched.becomes("tool done", working("Agent: kid"), sub(working("thinking")))
    watched.release("kid")
    watched.reached("main")
    watched.becomes("sub-agent ends", working("thinking"))
    watched.release("main")
    agent.wait("Main is done")
    watched.becomes("turn ends", waiting(""))
    watched.holds(0.5)


def test_a_sub_agent_of_one_in_the_background_needs_you(watched: WatchedAgents, agent: Agent) -> None:
    watched.api.scripts["grandkid"] = [shell("touch made"), text("Grandkid is done.", hold="grandkid")]
    watched.api.scripts["kid"] = [spawn("grandkid", play("grandkid")), text("Kid is done.", hold="kid")]
    watched.api.scripts["main"] = [spawn("kid", play("kid"), mode="background"), text("Main has begun.")]
    agent.say(play("main"))
    watched.passes("prompt", working())
    agent.wait_for_request()
    kid = sub(working("Agent: grandkid"))
    asks = sub(needs_approval("Bash: touch made"), parent="general-purpose")
    watched.becomes("asks", working("2 sub-agents"), kid, asks)
    watched.holds(1)
    agent.answer("Enter")
    watched.reached("grandkid")
    watched.becomes("approved", working(), kid, sub(working("thinking"), parent="general-purpose"))
    watched.release("grandkid")
    watched.reached("kid")
    watched.becomes("sub-agent ends", working("1 sub-agent"), sub(working("thinking")))
    watched.release("kid")
    watched.becomes("turn ends", waiting(""))
    watched.holds(1)


def test_an_interruption_ends_a_sub_agent_too(watched: WatchedAgents, agent: Agent) -> None:
    watched.api.scripts["kid"] = [text("not said", hold="kid")]
    watched.api.scripts["main"] = [spawn("kid", play("kid")), text("not said")]
    agent.say(play("main"))
    watched.reached("kid")
    watched.becomes("sub-agent works", working("Agent: kid"), sub(working("thinking")))
    interrupt(agent)
    watched.becomes("interrupted", waiting("interrupted"))
    watched.holds(1)
