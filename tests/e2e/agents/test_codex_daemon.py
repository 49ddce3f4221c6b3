"""Codex with its daemon, as it starts by default: agents outlive the terminals that show them.

The daemon tells of a session before its first prompt, of an approval and of an answer; hooks tell the rest.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from contract.status import WAITING, WORKING
from e2e.agents.clients.codex import daemon, originators, question, shell, spawn, stay, trusting
from e2e.agents.test_codex import INTERRUPTED, begin_anew
from e2e.harness.patience import PATIENCE_S, ended, until
from e2e.harness.script import play, text
from e2e.harness.truth import needs_approval, sub, waiting, working

if TYPE_CHECKING:
    from e2e.agents.agent import Agent
    from e2e.agents.conftest import Watch
    from e2e.agents.watched import WatchedAgents


@pytest.fixture
def watched(watch: Watch) -> WatchedAgents:
    return watch("codex")


@pytest.fixture
def agent(watched: WatchedAgents) -> Agent:
    """One that waits for its first prompt."""
    started = trusting(watched)
    watched.becomes("start", waiting(""))
    assert originators(watched.place) == {"codex-tui"}, "a visit came before the client's own"
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
    watched.holds(1)
    agent.say(play("again"))
    watched.passes("prompt", working())
    agent.wait_for_request()
    watched.becomes("asks", needs_approval("Bash: touch made"))
    watched.holds(1)
    agent.answer("Escape")
    watched.becomes("rejected", waiting(INTERRUPTED))
    watched.holds(1)
    agent.say(play("quiz"))
    watched.passes("prompt", working())
    agent.wait("Which colour")
    watched.becomes("asks", needs_approval("question"))
    watched.holds(0.5)
    agent.key("Enter")
    watched.reached("chosen")
    watched.becomes("answered", working("thinking"))
    watched.release("chosen")
    agent.wait("You chose")
    watched.becomes("turn ends", waiting(""))


def test_what_is_interrupted_and_what_fails_is_your_turn(watched: WatchedAgents, agent: Agent) -> None:
    door = watched.place.door("door")
    watched.api.scripts["slow"] = [text("first\n\nsecond", pause="stream")]
    watched.api.scripts["early"] = [text("not said", hold="model")]
    watched.api.scripts["long"] = [stay(door), text("not said")]
    watched.api.scripts["bad"] = [text("not said", status=500, error="server_error", hold="bad")]
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
    agent.say(play("bad"))
    watched.reached("bad")
    watched.becomes("prompt", working("thinking"))
    watched.release("bad")
    watched.becomes("error", waiting("error: server error"))
    watched.holds(1)


def test_a_sub_agent_that_asks_needs_you(watched: WatchedAgents, agent: Agent) -> None:
    door = watched.place.door("door")
    watched.api.scripts["kid"] = [stay(door), text("Kid is done.")]
    watched.api.scripts["main"] = [spawn("kid", play("kid")), text("Main is done.")]
    agent.say(play("main"))
    watched.passes("prompt", working())
    agent.wait_for_request()
    watched.becomes("asks", working(), sub(needs_approval(f"Bash: wc {door}"), "worker"))
    watched.holds(3)
    agent.answer("Enter")
    with watched.command_runs(door):
        watched.becomes("approved", working(), sub(working(), "worker"))
        watched.holds(1)
    agent.wait("Main is done")
    watched.becomes("all have ended", waiting(""))
    watched.holds(1)


@pytest.mark.parametrize("command", ["/new", "/clear"])
def test_a_session_gives_way_to_a_new_one(watched: WatchedAgents, agent: Agent, command: str) -> None:
    watched.answers(agent, "one")
    watched.becomes("turn ends", waiting(""))
    before = watched.session()
    begin_anew(agent, command)
    watched.become("begun anew", {watched.session_after(before): (waiting(""),)}, via=WAITING)
    watched.holds(1)
    watched.answers(agent, "two")
    watched.becomes("turn ends", waiting(""))
    watched.holds(1)


def test_each_of_two_terminals_has_its_own_light(watched: WatchedAgents, agent: Agent) -> None:
    watched.api.scripts["ask"] = [shell("touch made"), text("not said")]
    watched.api.scripts["slow"] = [text("The end.", hold="model")]
    first = watched.session()
    agent.say(play("slow"))
    watched.reached("model")
    watched.becomes("prompt", working("thinking"))
    other = watched.agent()
    until(lambda: watched.sessions() - {first}, otherwise=watched.story)
    (second,) = watched.sessions() - {first}
    watched.become("second start", {first: (working("thinking"),), second: (waiting(""),)})
    other.say(play("ask"))
    other.wait_for_request()
    asks = (needs_approval("Bash: touch made"),)
    watched.become("second asks", {first: (working("thinking"),), second: asks}, via=WORKING)
    watched.holds(1)
    watched.release("model")
    agent.wait("The end")
    watched.become("first ends", {first: (waiting(""),), second: asks})
    watched.holds(1)
    other.answer("Escape")
    watched.become("rejected", {first: (waiting(""),), second: (waiting(INTERRUPTED),)})
    watched.holds(1)


def test_one_that_asks_when_its_terminal_is_closed_says_so(watched: WatchedAgents, agent: Agent) -> None:
    watched.api.scripts["ask"] = [shell("touch made"), text("not said")]
    agent.say(play("ask"))
    watched.passes("prompt", working())
    agent.wait_for_request()
    watched.becomes("asks", needs_approval("Bash: touch made"))
    session = watched.session()
    assert "no terminal" not in watched.run("status").stdout
    assert watched.seen()[-1].sessions[0]["shown_by"] == agent.pid
    agent.hang_up()
    until(lambda: watched.seen()[-1].sessions[0]["unseen"], otherwise=watched.story)
    watched.holds(3)
    assert "asks, no terminal open" in watched.run("status").stdout
    went = watched.run("go", session[:8], "--json")
    assert went.returncode == 1
    assert "no terminal shows it" in json.loads(went.stdout)["notes"][0]
    served = daemon(watched.place)
    refused = watched.run("kill", session[:8], "--yes")
    assert refused.returncode != 0
    assert not ended(served)
    served.kill()
    until(lambda: ended(served), PATIENCE_S)
    watched.moments.sees()
    watched.ends("the daemon is killed")


def test_one_that_rests_is_gone_when_its_terminal_is_closed(watched: WatchedAgents, agent: Agent) -> None:
    watched.api.scripts["slow"] = [text("The end.", hold="model")]
    agent.say(play("slow"))
    watched.reached("model")
    watched.becomes("prompt", working("thinking"))
    session = watched.session()
    agent.hang_up()
    watched.becomes("it goes on", working("thinking"))
    watched.holds(3)
    watched.release("model")
    watched.become("it rests", {}, via=WAITING)
    watched.holds(2)
    watched.api.scripts["more"] = [text("The answer is more.", hold="more")]
    again = watched.agent("resume", session, shown="The end")
    again.say(play("more"))
    watched.reached("more")
    watched.become("resumed", {session: (working("thinking"),)}, via=WAITING)
    watched.holds(0.5)
    watched.release("more")
    again.wait("The answer is more")
    watched.become("turn ends", {session: (waiting(""),)})
    watched.holds(1)
