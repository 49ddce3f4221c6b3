"""Sessions whose hooks say nothing: open before they were installed, or switched off since."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from e2e import hooks
from e2e.script import ask, script, spawn, text, tool
from e2e.truth import needs_approval, sub, waiting, working

if TYPE_CHECKING:
    from e2e.script import Step
    from e2e.watched import Subject, Watched

PLAN = tool("ExitPlanMode", plan="# Plan\n1. do it")
ASKS = {"question": ask("Which one?", "this", "that"), "plan": PLAN}


def without_hooks(watched: Watched, mode: str = "default") -> Subject:
    """A client whose first turn our hooks have seen; then somebody takes all of them away."""
    agent = watched.client(mode=mode)
    watched.becomes("start", waiting(""))
    agent.say(script(text("x")))
    watched.passes("prompt", working())
    agent.wait_for_status("idle")
    watched.becomes("turn ends", waiting(""))
    path = f"{watched.home.config}/settings.json"
    hooks.rewrite(path, {**hooks.load(path), "disableAllHooks": True})
    return agent


@pytest.mark.parametrize("kind", ASKS)
def test_a_question_or_plan_needs_approval_without_hooks(watched: Watched, kind: str) -> None:
    agent = without_hooks(watched, "plan")
    step: Step = ASKS[kind]
    agent.say(script(step, text("x", hold="reply")))
    agent.wait_for_status("waiting")
    agent.wait_for_dialog()
    watched.becomes("asks", needs_approval(kind))
    watched.holds(1)
    agent.answer("Escape")
    agent.wait_for_status("idle")
    watched.becomes("rejected", waiting("interrupted"))
    watched.holds(0.5)


def test_a_sub_agent_that_ended_without_hooks_is_over(watched: Watched) -> None:
    agent = without_hooks(watched)
    agent.say(script(spawn("job", text("sub done", hold="sub")), text("main stops"), text("woken", hold="woken")))
    watched.reached("sub")
    agent.wait_for_words("main stops")
    watched.becomes("main stops", working("1 sub-agent"), sub(working("thinking")))
    watched.holds(0.5)
    watched.release("sub")
    watched.reached("woken")
    watched.becomes("woken", working("thinking"))
    watched.holds(0.5)
    watched.release("woken")
    agent.wait_for_status("idle")
    watched.becomes("turn ends", waiting(""))
    watched.holds(1)


def test_an_agent_with_a_goal_is_working_from_round_to_round(watched: Watched) -> None:
    agent = without_hooks(watched)
    agent.say("/goal " + script(text("one", hold="one")))
    watched.reached("one")
    watched.becomes("prompt", working("thinking"))
    watched.holds(0.5)
    watched.release("one")
    agent.wait_for_status("idle")
    watched.becomes("turn ends", waiting(""))
