"""Qwen Code: every state of a real session, right within 2 s and without a flicker."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from contract.status import NEEDS_APPROVAL, WAITING, WORKING
from e2e.agents.clients.qwen import question, shell, spawn, stay
from e2e.agents.told import GIVEN, counts, tells
from e2e.agents.watched import finished
from e2e.harness.patience import until
from e2e.harness.script import play, text
from e2e.harness.truth import ONLY, needs_approval, sub, waiting, working

if TYPE_CHECKING:
    from e2e.agents.agent import Agent
    from e2e.agents.conftest import Watch
    from e2e.agents.watched import WatchedAgents

COMMAND = re.compile("^Bash: touch made; wc ")


@pytest.fixture
def watched(watch: Watch) -> WatchedAgents:
    return watch("qwen")


@pytest.fixture
def agent(watched: WatchedAgents) -> Agent:
    """One that waits for its first prompt."""
    started = watched.agent()
    watched.hears()
    watched.becomes("start", waiting(""))
    return started


def test_a_prompt_is_working_and_its_answer_is_your_turn(watched: WatchedAgents, agent: Agent) -> None:
    watched.api.scripts["one"] = [text("The answer is one.", hold="model")]
    agent.say(play("one"))
    watched.reached("model")
    watched.becomes("prompt", working("thinking"))
    watched.holds(0.5)
    watched.release("model")
    agent.wait("The answer is one")
    watched.becomes("turn ends", waiting(""))
    watched.holds(0.5)
    tells(watched, last_words="The answer is one.", model="scripted", context_tokens=GIVEN)
    counts(watched, len(watched.api.asked))  # with those of the client's own helper
    agent.say("/rename The first one")
    tells(watched, title="The first one")


@pytest.mark.dose
def test_an_approved_command_is_working_and_a_rejected_one_your_turn(watched: WatchedAgents, agent: Agent) -> None:
    door = watched.place.door("door")
    watched.api.scripts["ask"] = [stay(door), text("All done.", hold="reply")]
    watched.api.scripts["again"] = [shell("touch made"), text("not said")]
    agent.say(play("ask"))
    watched.passes("prompt", working())
    agent.wait_for_request()
    watched.becomes("asks", needs_approval(COMMAND))
    watched.holds(0.5)
    agent.answer("Enter")
    watched.becomes("approved", working(COMMAND))
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
    watched.becomes("rejected", waiting(""))
    watched.holds(1)


def test_an_interrupted_answer_is_your_turn(watched: WatchedAgents, agent: Agent) -> None:
    watched.api.scripts["slow"] = [text("first\n\nsecond", pause="stream")]
    watched.api.scripts["early"] = [text("not said", hold="model")]
    agent.say(play("slow"))
    watched.reached("stream")
    watched.becomes("prompt", working("thinking"))
    agent.wait("first")
    agent.key("Escape")
    watched.becomes("interrupted", waiting(""))
    watched.holds(0.5)
    agent.say(play("early"))
    watched.reached("model")
    watched.becomes("prompt", working("thinking"))
    agent.key("Escape")
    watched.becomes("interrupted", waiting(""))
    watched.holds(1)


def test_an_interrupted_command_is_your_turn(watched: WatchedAgents, agent: Agent) -> None:
    door = watched.place.door("door")
    watched.api.scripts["long"] = [stay(door), text("not said")]
    agent.say(play("long"))
    watched.passes("prompt", working())
    agent.wait_for_request()
    watched.becomes("asks", needs_approval(COMMAND))
    agent.answer("Enter")
    with watched.command_runs(door):
        watched.becomes("approved", working(COMMAND))
        agent.key("Escape")
        watched.becomes("interrupted", waiting(""))
        watched.holds(1)


def test_a_prompt_queued_in_a_turn_is_working_to_the_last_end(watched: WatchedAgents, agent: Agent) -> None:
    watched.api.scripts["one"] = [text("The first.", hold="one")]
    watched.api.scripts["two"] = [text("The second.", hold="two")]
    agent.say(play("one"))
    watched.reached("one")
    watched.becomes("prompt", working("thinking"))
    agent.say(play("two"))
    watched.becomes("queued prompt", working("thinking"))
    watched.release("one")
    watched.reached("two")
    watched.become("queued prompt", {ONLY: (working("thinking"),)}, via=WAITING)
    watched.holds(1)
    watched.release("two")
    agent.wait("The second")
    watched.becomes("turn ends", waiting(""))
    watched.holds(0.5)


def test_a_question_needs_you_until_it_is_answered(watched: WatchedAgents, agent: Agent) -> None:
    watched.api.scripts["quiz"] = [question("Which colour?", "Red", "Blue"), text("You chose.", hold="reply")]
    agent.say(play("quiz"))
    watched.passes("prompt", working())
    agent.wait("Which colour")
    watched.becomes("asks", needs_approval("question"))
    watched.holds(0.5)
    agent.key("Enter")
    watched.reached("reply")
    watched.becomes("answered", working("thinking"))
    watched.release("reply")
    agent.wait("You chose")
    watched.becomes("turn ends", waiting(""))


def test_an_api_error_is_your_turn_and_says_so(watched: WatchedAgents, agent: Agent) -> None:
    watched.api.scripts["bad"] = [text("not said", status=400, hold="model")]
    agent.say(play("bad"))
    watched.reached("model")
    watched.becomes("prompt", working("thinking"))
    watched.release("model")
    watched.becomes("error", waiting(re.compile("^error: ")))
    watched.holds(1)


def test_a_killed_session_is_gone_and_waits_when_it_is_resumed(watched: WatchedAgents, agent: Agent) -> None:
    watched.api.scripts["more"] = [shell("touch made"), text("not said")]
    watched.answers(agent, "hello")
    watched.becomes("turn ends", waiting(""))
    session = watched.session()
    agent.say(play("more"))
    watched.passes("prompt", working())
    agent.wait_for_request()
    watched.becomes("asks", needs_approval("Bash: touch made"))
    agent.kill9()
    watched.ends("killed")
    watched.holds(0.5)
    again = watched.agent("--continue")
    watched.hears()
    watched.become("resumed", {session: (waiting(""),)})
    watched.answers(again, "again")
    watched.become("turn ends", {session: (waiting(""),)})


def test_a_cleared_session_leaves_one_with_another_name(watched: WatchedAgents, agent: Agent) -> None:
    watched.answers(agent, "one")
    watched.becomes("turn ends", waiting(""))
    before = watched.session()
    agent.say("/clear")
    watched.become("cleared", {watched.session_after(before): (waiting(""),)}, via=WAITING)
    watched.holds(1)
    watched.answers(agent, "two")
    watched.becomes("turn ends", waiting(""))


def test_a_sub_agent_that_asks_needs_you(watched: WatchedAgents, agent: Agent) -> None:
    door = watched.place.door("door")
    watched.api.scripts["kid"] = [stay(door), text("Kid is done.")]
    watched.api.scripts["main"] = [spawn("kid", play("kid")), text("Main is done.")]
    agent.say(play("main"))
    watched.passes("prompt", working())
    agent.wait_for_request()
    watched.becomes("asks", needs_approval(COMMAND), sub(working()))
    watched.holds(0.5)
    agent.answer("Enter")
    with watched.command_runs(door):
        watched.becomes("approved", working(), sub(working()))
        watched.holds(1)
    agent.wait("Main is done")
    watched.becomes("turn ends", waiting(""))
    watched.holds(0.5)


def test_one_without_a_terminal_is_hidden_and_asks_nobody(watched: WatchedAgents) -> None:
    watched.api.scripts["ask"] = [shell("touch made"), text("The end.", hold="reply")]
    process = watched.headless("-p", play("ask"))
    watched.reached("reply")
    until(lambda: any(one.status == WORKING for one in watched.seen()[-1].everything), otherwise=watched.story)
    watched.release("reply")
    assert finished(process) == 0
    watched.ends("ends")
    assert not any(sample.sessions for sample in watched.seen()), watched.story()
    assert all(one.status != NEEDS_APPROVAL for sample in watched.seen() for one in sample.everything)


def test_one_that_can_ask_nobody_never_needs_you(watched: WatchedAgents) -> None:
    watched.api.scripts["ask"] = [shell("touch made"), text("The end.", hold="reply")]
    watched.agent("-p", play("ask"), shown=r"^")
    watched.reached("reply")
    watched.becomes("prompt", working("thinking"))
    watched.release("reply")
    watched.become("ends", {}, via=WAITING)
    assert all(one.status != NEEDS_APPROVAL for sample in watched.seen() for one in sample.everything)
