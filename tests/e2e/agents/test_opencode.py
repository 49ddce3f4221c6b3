"""OpenCode: every state of a real session, right within 2 s and without a flicker.

It takes long to start, so each test shows several of them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from contract.status import NEEDS_APPROVAL, WAITING, WORKING
from e2e.agents.clients.opencode import question, shell, spawn, stay
from e2e.agents.watched import finished
from e2e.harness.patience import until
from e2e.harness.script import play, text
from e2e.harness.truth import needs_approval, sub, waiting, working

if TYPE_CHECKING:
    from e2e.agents.agent import Agent
    from e2e.agents.conftest import Watch
    from e2e.agents.watched import WatchedAgents


@pytest.fixture
def watched(watch: Watch) -> WatchedAgents:
    return watch("opencode")


@pytest.fixture
def agent(watched: WatchedAgents) -> Agent:
    """One that has answered once: before its first prompt it has no session, and is not shown."""
    watched.api.scripts["hello"] = [text("Hello to you.", hold="hello")]
    started = watched.agent()
    started.say(play("hello"))
    watched.reached("hello")
    watched.becomes("first prompt", working("thinking"))
    watched.release("hello")
    started.wait("Hello to you")
    watched.becomes("turn ends", waiting(""))
    return started


def test_what_it_asks_needs_you_until_you_say_yes_or_no(watched: WatchedAgents, agent: Agent) -> None:
    door = watched.place.door("door")
    watched.api.scripts["ask"] = [stay(door), text("All done.", hold="reply")]
    watched.api.scripts["again"] = [shell("touch made"), text("not said")]
    watched.api.scripts["quiz"] = [question("Which colour?", "Red", "Blue"), text("You chose.", hold="chosen")]
    agent.say(play("ask"))
    watched.passes("prompt", working())
    agent.wait_for_request()
    watched.becomes("asks", needs_approval(f"Bash: wc {door}"))
    watched.holds(0.5)
    agent.answer("Enter")
    watched.becomes("approved", working(f"Bash: wc {door}"))
    with watched.command_runs(door):
        watched.holds(2)
    watched.reached("reply")
    watched.becomes("tool done", working("thinking"))
    watched.release("reply")
    agent.wait("All done")
    watched.becomes("turn ends", waiting(""))
    agent.say(play("again"))
    watched.passes("prompt", working())
    agent.wait_for_request()
    watched.becomes("asks", needs_approval("Bash: touch made"))
    agent.answer("Escape")
    watched.become("rejected", {"": (waiting(""),)}, via=WORKING)
    watched.holds(1)
    agent.say(play("quiz"))
    watched.passes("prompt", working())
    agent.wait("Which colour")
    watched.becomes("asks", needs_approval("question"))
    agent.key("Enter")
    watched.reached("chosen")
    watched.becomes("answered", working("thinking"))
    watched.release("chosen")
    agent.wait("You chose")
    watched.becomes("turn ends", waiting(""))


def test_what_is_interrupted_is_your_turn(watched: WatchedAgents, agent: Agent) -> None:
    door = watched.place.door("door")
    watched.api.scripts["slow"] = [text("first\n\nsecond", pause="stream")]
    watched.api.scripts["early"] = [text("not said", hold="model")]
    watched.api.scripts["long"] = [stay(door), text("not said")]
    agent.say(play("slow"))
    watched.reached("stream")
    watched.becomes("prompt", working("thinking"))
    interrupt(agent)
    watched.becomes("interrupted", waiting(""))
    watched.holds(0.5)
    agent.say(play("early"))
    watched.reached("model")
    watched.becomes("prompt", working("thinking"))
    interrupt(agent)
    watched.becomes("interrupted", waiting(""))
    agent.say(play("long"))
    watched.passes("prompt", working())
    agent.wait_for_request()
    watched.becomes("asks", needs_approval(f"Bash: wc {door}"))
    agent.answer("Enter")
    with watched.command_runs(door):
        watched.becomes("approved", working(f"Bash: wc {door}"))
        interrupt(agent)
        watched.becomes("interrupted", waiting(""))
        watched.holds(1)


def test_an_error_is_working_while_it_tries_again_and_your_turn_at_last(watched: WatchedAgents, agent: Agent) -> None:
    watched.api.scripts["limit"] = [text("It recovered.", status=429, times=1, pause="tried again")]
    watched.api.scripts["bad"] = [text("not said", status=400, error="invalid_request_error", hold="model")]
    agent.say(play("limit"))
    watched.reached("tried again")
    watched.becomes("prompt", working("thinking"))
    watched.release("tried again")
    agent.wait("It recovered")
    watched.becomes("turn ends", waiting(""))
    agent.say(play("bad"))
    watched.reached("model")
    watched.becomes("prompt", working("thinking"))
    watched.release("model")
    agent.wait("scripted")
    watched.becomes("error", waiting(re.compile("^error: ")))
    watched.holds(1)


def test_a_sub_agent_that_asks_needs_you(watched: WatchedAgents, agent: Agent) -> None:
    door = watched.place.door("door")
    watched.api.scripts["kid"] = [stay(door), text("Kid is done.")]
    watched.api.scripts["main"] = [spawn("kid", play("kid")), text("Main is done.")]
    agent.say(play("main"))
    watched.passes("prompt", working())
    agent.wait_for_request()
    watched.becomes("asks", working(), sub(needs_approval(f"Bash: wc {door}"), "general"))
    watched.holds(0.5)
    agent.answer("Enter")
    with watched.command_runs(door):
        watched.becomes("approved", working(), sub(working(), "general"))
        watched.holds(1)
    agent.wait("Main is done")
    watched.becomes("turn ends", waiting(""))
    watched.holds(0.5)


def test_a_session_gives_way_to_a_new_one_and_is_gone_when_it_is_killed(watched: WatchedAgents, agent: Agent) -> None:
    watched.api.scripts["one"] = [text("The answer is one.")]
    watched.api.scripts["ask"] = [shell("touch made"), text("not said")]
    before = watched.session()
    agent.say("/new")
    agent.wait("Ask anything")
    agent.say(play("one"))
    watched.hears()
    agent.wait("The answer is one")
    session = watched.session_after(before)
    watched.become("turn ends", {session: (waiting(""),)}, via=WORKING)
    agent.say(play("ask"))
    watched.passes("prompt", working())
    agent.wait_for_request()
    watched.become("asks", {session: (needs_approval("Bash: touch made"),)}, via=WORKING)
    agent.kill9()
    watched.ends("killed")
    watched.holds(0.5)
    agent.close()
    again = watched.agent("--continue", shown="Build")
    watched.api.scripts["more"] = [text("The answer is more.", hold="more")]
    again.say(play("more"))
    watched.reached("more")
    watched.become("resumed", {session: (working("thinking"),)})
    watched.holds(0.5)
    watched.release("more")
    again.wait("The answer is more")
    watched.become("turn ends", {session: (waiting(""),)})


def test_one_without_a_terminal_is_hidden_and_asks_nobody(watched: WatchedAgents) -> None:
    watched.api.scripts["ask"] = [text("The beginning.", hold="reply", tools=shell("touch made")["tools"])]
    process = watched.headless("run", play("ask"))
    watched.reached("reply")
    until(lambda: any(one.status == WORKING for one in watched.seen()[-1].everything), otherwise=watched.story)
    watched.release("reply")
    assert finished(process) == 0
    watched.become("ends", {}, via=WAITING)
    assert not any(sample.sessions for sample in watched.seen()), watched.story()
    assert all(one.status != NEEDS_APPROVAL for sample in watched.seen() for one in sample.everything)


def interrupt(agent: Agent) -> None:
    """The first Escape only makes it ask for a second one."""
    agent.key("Escape")
    agent.wait("again to interrupt")
    agent.key("Escape")
