"""Codex: every state of a real session, right within 2 s and without a flicker; without its daemon and with it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from contract.status import NEEDS_APPROVAL, WAITING, WORKING
from e2e.agents.clients.codex import READY, question, shell, spawn, stay, trusting
from e2e.agents.told import GIVEN, counts, tells
from e2e.agents.watched import finished
from e2e.harness.patience import until
from e2e.harness.script import play, text
from e2e.harness.truth import needs_approval, sub, waiting, working

if TYPE_CHECKING:
    from e2e.agents.agent import Agent
    from e2e.agents.conftest import Watch
    from e2e.agents.watched import WatchedAgents

ALONE = "--no-daemon"
INTERRUPTED = re.compile("^(interrupted)?$")


@pytest.fixture
def watched(watch: Watch) -> WatchedAgents:
    return watch("codex")


@pytest.fixture
def agent(watched: WatchedAgents) -> Agent:
    """One that has answered once: before its first prompt no hook tells of it."""
    watched.api.scripts["hello"] = [text("Hello to you.", hold="hello")]
    started = trusting(watched, ALONE)
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
    with watched.command_runs(door):
        watched.becomes("approved", working(f"Bash: wc {door}"))
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
    watched.becomes("rejected", waiting(INTERRUPTED))
    watched.holds(1)
    agent.say(play("quiz"))
    watched.passes("prompt", working())
    agent.wait("Which colour")
    watched.becomes("asks", needs_approval("question"))
    tells(watched, title="done", question="Which colour?")
    watched.holds(0.5)
    agent.key("Enter")
    watched.reached("chosen")
    watched.becomes("answered", working("thinking"))
    watched.release("chosen")
    agent.wait("You chose")
    watched.becomes("turn ends", waiting(""))
    tells(watched, title="done", question="", last_words="You chose.", model="scripted", context_tokens=GIVEN)
    counts(watched, len(watched.api.turns))


def test_what_is_interrupted_is_your_turn(watched: WatchedAgents, agent: Agent) -> None:
    door = watched.place.door("door")
    watched.api.scripts["slow"] = [text("first\n\nsecond", pause="stream")]
    watched.api.scripts["early"] = [text("not said", hold="model")]
    watched.api.scripts["long"] = [stay(door), text("not said")]
    agent.say(play("slow"))
    watched.reached("stream")
    watched.becomes("prompt", working("thinking"))
    agent.key("Escape")
    watched.becomes("interrupted", waiting(INTERRUPTED))
    watched.holds(0.5)
    agent.say(play("early"))
    watched.reached("model")
    watched.becomes("prompt", working("thinking"))
    agent.key("Escape")
    watched.becomes("interrupted", waiting(INTERRUPTED))
    watched.holds(0.5)
    agent.say(play("long"))
    watched.passes("prompt", working())
    agent.wait_for_request()
    watched.becomes("asks", needs_approval(f"Bash: wc {door}"))
    agent.answer("Enter")
    with watched.command_runs(door):
        watched.becomes("approved", working(f"Bash: wc {door}"))
        agent.key("Escape")
        watched.becomes("interrupted", waiting(INTERRUPTED))
        watched.holds(1)


def test_an_api_error_is_your_turn_and_says_so(watched: WatchedAgents, agent: Agent) -> None:
    watched.api.scripts["bad"] = [text("not said", status=500, error="server_error", hold="model")]
    watched.api.scripts["limit"] = [text("not said", status=429, error="rate_limit_error", hold="limited")]
    agent.say(play("bad"))
    watched.reached("model")
    watched.becomes("prompt", working("thinking"))
    watched.release("model")
    watched.becomes("error", waiting("error: server error"))
    watched.holds(1)
    agent.say(play("limit"))
    watched.reached("limited")
    watched.becomes("prompt", working("thinking"))
    watched.release("limited")
    watched.becomes("error", waiting("error: rate limit"))
    watched.holds(1)


def test_a_compaction_is_working_until_it_is_over(watched: WatchedAgents, agent: Agent) -> None:
    agent.say("/compact")
    agent.wait("Context compacted")
    watched.become("compacted", {watched.session(): (waiting(""),)}, via=WORKING)
    watched.holds(1)


def test_a_sub_agent_that_asks_needs_you(watched: WatchedAgents, agent: Agent) -> None:
    door = watched.place.door("door")
    watched.api.scripts["kid"] = [stay(door), text("Kid is done.")]
    watched.api.scripts["main"] = [spawn("kid", play("kid")), text("Main is done.")]
    agent.say(play("main"))
    watched.passes("prompt", working())
    agent.wait_for_request()
    watched.becomes("asks", working(), sub(needs_approval(f"Bash: wc {door}"), "worker"))
    watched.holds(0.5)
    agent.answer("Enter")
    with watched.command_runs(door):
        watched.becomes("approved", working(), sub(working(), "worker"))
        watched.holds(1)
    agent.wait("Main is done")
    watched.becomes("all have ended", waiting(""))
    watched.holds(0.5)


def test_a_sub_agent_whose_request_is_rejected_has_ended(watched: WatchedAgents, agent: Agent) -> None:
    watched.api.scripts["kid"] = [shell("touch made"), text("not said")]
    watched.api.scripts["main"] = [spawn("kid", play("kid")), text("Main is done.")]
    agent.say(play("main"))
    watched.passes("prompt", working())
    agent.wait_for_request()
    watched.becomes("asks", working(), sub(needs_approval("Bash: touch made"), "worker"))
    agent.answer("Escape")
    watched.becomes("rejected", waiting(INTERRUPTED))
    watched.holds(1)


@pytest.mark.parametrize("command", ["/new", "/clear"])
def test_a_session_gives_way_to_a_new_one(watched: WatchedAgents, agent: Agent, command: str) -> None:
    watched.api.scripts["one"] = [text("The answer is one.")]
    before = watched.session()
    begin_anew(agent, command)
    watched.becomes("nothing told yet", waiting(""))
    agent.say(play("one"))
    watched.hears()
    agent.wait("The answer is one")
    watched.become("turn ends", {watched.session_after(before): (waiting(""),)}, via=WORKING)
    watched.holds(1)


def test_a_killed_session_is_gone_and_is_back_with_the_next_prompt(watched: WatchedAgents, agent: Agent) -> None:
    watched.api.scripts["ask"] = [shell("touch made"), text("not said")]
    watched.api.scripts["more"] = [text("The answer is more.", hold="more")]
    session = watched.session()
    agent.say(play("ask"))
    watched.passes("prompt", working())
    agent.wait_for_request()
    watched.becomes("asks", needs_approval("Bash: touch made"))
    agent.kill9()
    watched.ends("killed")
    watched.holds(0.5)
    agent.close()
    again = watched.agent("resume", "--last", ALONE)
    again.say(play("more"))
    watched.reached("more")
    watched.become("resumed", {session: (working("thinking"),)})
    watched.holds(0.5)
    watched.release("more")
    again.wait("The answer is more")
    watched.become("turn ends", {session: (waiting(""),)})


def test_one_without_a_terminal_is_hidden_and_asks_nobody(watched: WatchedAgents) -> None:
    watched.api.scripts["ask"] = [shell("touch made"), text("The end.", hold="reply")]
    trusting(watched, ALONE)
    process = watched.headless("exec", play("ask"))
    watched.reached("reply")
    until(lambda: any(one.status == WORKING for one in watched.seen()[-1].everything), otherwise=watched.story)
    watched.release("reply")
    assert finished(process) == 0
    watched.become("ends", {}, via=WAITING)
    assert not any(sample.sessions for sample in watched.seen()), watched.story()
    assert all(one.status != NEEDS_APPROVAL for sample in watched.seen() for one in sample.everything)


def begin_anew(agent: Agent, command: str) -> None:
    """A new session in the same terminal; /new asks where, and the first choice is here."""
    agent.say(command)
    if command == "/new":
        agent.wait("Where should the new conversation run")
        agent.key("Enter")
    agent.wait(READY)
