"""Gemini CLI: sub-agents of a real session, right within 2 s and without a flicker."""

from __future__ import annotations

from typing import TYPE_CHECKING

from e2e.agents.clients.gemini import complete, shell, spawn, stay
from e2e.harness.script import play, text, together
from e2e.harness.truth import needs_approval, waiting, working

if TYPE_CHECKING:
    from e2e.agents.agent import Agent
    from e2e.agents.watched import WatchedAgents


def test_what_a_sub_agent_asks_needs_you(watched: WatchedAgents, agent: Agent) -> None:
    door = watched.place.door("door")
    watched.api.scripts["kid"] = [stay(door), shell("touch kid"), {**complete("Kid is done."), "hold": "kid"}]
    watched.api.scripts["main"] = [spawn("kid", play("kid")), text("Main is done.", hold="main")]
    agent.say(play("main"))
    watched.passes("prompt", working())
    agent.wait_for_request()
    watched.becomes("asks", needs_approval(f"Bash: wc {door}"))
    watched.holds(0.5)
    agent.answer("Enter")
    with watched.command_runs(door):
        watched.becomes("approved", working(f"Bash: wc {door}"))
        watched.holds(1)
    agent.wait_for_request()
    watched.becomes("asks", needs_approval("Bash: touch kid"))
    agent.answer("Escape")
    watched.reached("kid")
    watched.becomes("rejected", working("Agent: generalist"))
    watched.holds(1)
    watched.release("kid")
    watched.reached("main")
    watched.becomes("sub-agent ends", working("thinking"))
    watched.release("main")
    agent.wait("Main is done")
    watched.becomes("turn ends", waiting(""))
    watched.holds(0.5)


def test_of_two_sub_agents_one_asks_while_the_command_of_the_other_runs(watched: WatchedAgents, agent: Agent) -> None:
    door = watched.place.door("door")
    watched.api.scripts["kid"] = [stay(door), {**complete("Kid is done."), "hold": "kid"}]
    # The client shows its dialogs in the order in which they came: the second one asks when the first is on the screen.
    watched.api.scripts["lad"] = [
        {**shell("touch lad"), "hold": "lad asks"},
        {**complete("Lad is done."), "hold": "lad"},
    ]
    both = together(spawn("kid", play("kid")), spawn("lad", play("lad")))
    watched.api.scripts["main"] = [both, text("Main is done.", hold="main")]
    agent.say(play("main"))
    watched.passes("prompt", working())
    agent.wait(r"\? +Shell +wc .* 3 of 3")
    watched.becomes("asks", needs_approval())
    watched.release("lad asks")
    agent.wait(r"\? +Shell +wc .* 3 of 4")
    agent.key("Enter")
    agent.wait(r"\? +Shell +touch lad .* 4 of 4")
    with watched.command_runs(door):
        watched.becomes("the other asks", needs_approval("Bash: touch lad"))
        watched.holds(1)
        agent.key("Escape")
        watched.reached("lad")
    watched.reached("kid")
    watched.becomes("both go on", working())
    watched.holds(0.5)
    watched.release("lad")
    watched.release("kid")
    watched.reached("main")
    watched.becomes("sub-agents end", working("thinking"))
    watched.release("main")
    agent.wait("Main is done")
    watched.becomes("turn ends", waiting(""))
