"""Copilot CLI: every state of a real session, right within 2 s and without a flicker."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from contract import facts, paths
from contract.clients import claude
from contract.status import NEEDS_APPROVAL, WAITING, WORKING
from e2e.agents.clients.copilot import HOOKS, question, shell, spawn, stay
from e2e.agents.watched import finished, hook
from e2e.harness.patience import until
from e2e.harness.script import play, text, together
from e2e.harness.truth import needs_approval, sub, waiting, working
from e2e.harness.watchers import ALL

if TYPE_CHECKING:
    from e2e.agents.agent import Agent
    from e2e.agents.conftest import Watch
    from e2e.agents.watched import WatchedAgents

COMMAND = re.compile("^Bash: touch made; wc ")


@pytest.fixture
def watched(watch: Watch) -> WatchedAgents:
    return watch("copilot")


@pytest.fixture
def agent(watched: WatchedAgents) -> Agent:
    """One that waits for its first prompt: only its own list of open sessions tells of it."""
    started = watched.agent()
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
    watched.holds(1)


def test_an_approved_command_is_working_and_a_rejected_one_your_turn(watched: WatchedAgents, agent: Agent) -> None:
    door = watched.place.door("proj/door")
    watched.api.scripts["ask"] = [stay(door), text("All done.", hold="reply")]
    watched.api.scripts["again"] = [shell("touch made"), text("not said")]
    agent.say(play("ask"))
    watched.passes("prompt", working())
    agent.wait_for_request()
    watched.becomes("asks", needs_approval(COMMAND))
    watched.holds(1)
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
    watched.becomes("rejected", waiting("interrupted"))
    watched.holds(1)


def test_of_two_requests_the_second_needs_you_after_the_first(watched: WatchedAgents, agent: Agent) -> None:
    watched.api.scripts["two"] = [together(shell("touch one"), shell("touch two")), text("Both done.", hold="reply")]
    agent.say(play("two"))
    watched.passes("prompt", working())
    agent.wait_for_request()
    watched.becomes("asks", needs_approval(re.compile("^Bash: touch ")))
    first = re.search(r"│ touch (one|two)\b", agent.screen())
    assert first is not None
    other = {"one": "two", "two": "one"}[first[1]]  # it asks in any order
    agent.key("Enter")
    agent.wait(rf"│ touch {other}\b")
    watched.becomes("asks for the other", needs_approval(f"Bash: touch {other}"))
    watched.holds(1)
    agent.answer("Enter")
    watched.reached("reply")
    watched.becomes("approved", working("thinking"))
    watched.release("reply")
    agent.wait("Both done")
    watched.becomes("turn ends", waiting(""))


def test_an_interrupted_answer_is_your_turn(watched: WatchedAgents, agent: Agent) -> None:
    watched.api.scripts["slow"] = [text("first\n\nsecond", pause="stream")]
    watched.api.scripts["early"] = [text("not said", hold="model")]
    agent.say(play("slow"))
    watched.reached("stream")
    watched.becomes("prompt", working("thinking"))
    agent.wait("first")
    interrupt(agent)
    watched.becomes("interrupted", waiting("interrupted"))
    watched.holds(1)
    agent.say(play("early"))
    watched.reached("model")
    watched.becomes("prompt", working("thinking"))
    interrupt(agent)
    watched.becomes("interrupted", waiting("interrupted"))
    watched.holds(2)


def test_an_interrupted_command_is_your_turn(watched: WatchedAgents, agent: Agent) -> None:
    door = watched.place.door("proj/door")
    watched.api.scripts["long"] = [stay(door), text("not said")]
    agent.say(play("long"))
    watched.passes("prompt", working())
    agent.wait_for_request()
    watched.becomes("asks", needs_approval(COMMAND))
    agent.answer("Enter")
    with watched.command_runs(door):
        watched.becomes("approved", working(COMMAND))
        interrupt(agent)
        watched.becomes("interrupted", waiting("interrupted"))
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
    watched.becomes("queued prompt", working("thinking"))
    watched.holds(1)
    watched.release("two")
    agent.wait("The second")
    watched.becomes("turn ends", waiting(""))
    watched.holds(1)


@pytest.mark.parametrize("is_beside_ours", [True, False], ids=["beside ours", "alone"])
def test_a_hook_in_a_projects_claude_settings_tells_of_it_as_what_it_is(
    watched: WatchedAgents, is_beside_ours: bool
) -> None:
    entry = {"hooks": [{"type": "command", "command": shlex.join(hook("claude"))}]}
    watched.place.write("proj/.claude/settings.json", {"hooks": {event: [entry] for event in claude.EVENTS}})
    if not is_beside_ours:
        os.remove(f"{watched.place.path}/{HOOKS}")
    watched.api.scripts["kid"] = [shell("touch made"), text("Kid is done.", hold="kid")]
    watched.api.scripts["main"] = [spawn("kid", play("kid")), text("Main is done.", hold="main")]
    agent = watched.agent()
    watched.becomes("start", waiting(""))
    agent.say(play("main"))
    watched.passes("prompt", working())
    agent.wait_for_request()
    watched.becomes("asks", working("Agent: kid"), sub(needs_approval("Bash: touch made")))
    agent.answer("Enter")
    watched.reached("kid")
    watched.becomes("approved", working("Agent: kid"), sub(working("thinking")))
    watched.release("kid")
    watched.reached("main")
    watched.becomes("sub-agent ends", working("thinking"))
    watched.release("main")
    agent.wait("Main is done")
    watched.becomes("turn ends", waiting(""))
    watched.holds(1)
    folder = Path(paths.fact_dir(watched.states[ALL]))
    told = [facts.decode(path.read_bytes()) for path in folder.glob("*.json")]
    assert [(fact.client_name, fact.session) for fact in told if fact] == [("copilot", watched.session())] * 2
    assert not os.path.exists(paths.hook_log(watched.states[ALL]))


def test_a_question_needs_you_until_it_is_answered(watched: WatchedAgents, agent: Agent) -> None:
    watched.api.scripts["quiz"] = [question("Which colour?", "Red", "Blue"), text("You chose.", hold="chosen")]
    agent.say(play("quiz"))
    watched.passes("prompt", working())
    agent.wait("Which colour")
    watched.becomes("asks", needs_approval("question"))
    watched.holds(1)
    agent.key("Enter")
    watched.reached("chosen")
    watched.becomes("answered", working("thinking"))
    watched.release("chosen")
    agent.wait("You chose")
    watched.becomes("turn ends", waiting(""))


def test_an_error_is_your_turn_unless_it_is_tried_again(watched: WatchedAgents, agent: Agent) -> None:
    watched.api.scripts["limit"] = [text("It recovered.", status=429, times=1, pause="tried again")]
    watched.api.scripts["bad"] = [text("not said", status=400, error="invalid_request_error", hold="model")]
    agent.say(play("limit"))
    watched.passes("prompt", working("thinking"))
    watched.reached("tried again")
    watched.becomes("tries again", working("thinking"))
    watched.release("tried again")
    agent.wait("It recovered")
    watched.becomes("turn ends", waiting(""))
    agent.say(play("bad"))
    watched.reached("model")
    watched.becomes("prompt", working("thinking"))
    watched.release("model")
    agent.wait("scripted")
    watched.becomes("error", waiting("error: invalid request"))
    watched.holds(1)


def test_a_sub_agent_that_asks_needs_you(watched: WatchedAgents, agent: Agent) -> None:
    door = watched.place.door("proj/door")
    watched.api.scripts["kid"] = [stay(door), text("Kid is done.", hold="kid")]
    watched.api.scripts["main"] = [spawn("kid", play("kid")), text("Main is done.", hold="main")]
    agent.say(play("main"))
    watched.passes("prompt", working())
    agent.wait_for_request()
    watched.becomes("asks", working("Agent: kid"), sub(needs_approval(COMMAND)))
    watched.holds(1)
    agent.answer("Enter")
    with watched.command_runs(door):
        watched.becomes("approved", working("Agent: kid"), sub(working(COMMAND)))
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


def test_a_cleared_session_gives_way_to_a_new_one_and_is_gone_when_it_is_killed(
    watched: WatchedAgents, agent: Agent
) -> None:
    watched.api.scripts["one"] = [text("The answer is one.")]
    watched.api.scripts["ask"] = [shell("touch made"), text("not said")]
    before = watched.session()
    agent.say(play("one"))
    watched.passes("prompt", working())
    agent.wait("The answer is one")
    watched.become("turn ends", {before: (waiting(""),)})
    agent.say("/clear")
    until(lambda: watched.seen()[-1].sessions and watched.session() != before, otherwise=watched.story)
    session = watched.session()
    watched.become("cleared", {session: (waiting(""),)}, via=WAITING)
    watched.holds(1)
    agent.say(play("ask"))
    watched.passes("prompt", working())
    agent.wait_for_request()
    watched.become("asks", {session: (needs_approval("Bash: touch made"),)}, via=WORKING)
    agent.kill9()
    watched.ends("killed")
    watched.holds(1)
    agent.close()
    again = watched.agent("--continue")
    watched.api.scripts["more"] = [text("The answer is more.", hold="more")]
    again.say(play("more"))
    watched.reached("more")
    watched.become("resumed", {session: (working("thinking"),)}, via=WAITING)
    watched.holds(0.5)
    watched.release("more")
    again.wait("The answer is more")
    watched.become("turn ends", {session: (waiting(""),)})


def test_one_without_a_terminal_is_hidden_and_asks_nobody(watched: WatchedAgents) -> None:
    watched.api.scripts["ask"] = [shell("touch made"), text("The end.", hold="reply")]
    process = watched.headless("-p", play("ask"))
    watched.reached("reply")
    until(lambda: any(one.status == WORKING for one in watched.seen()[-1].everything), otherwise=watched.story)
    watched.release("reply")
    assert finished(process) == 0
    watched.become("ends", {}, via=WAITING)
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


def test_without_hooks_its_own_files_tell(watched: WatchedAgents) -> None:
    os.remove(f"{watched.place.path}/{HOOKS}")
    door = watched.place.door("proj/door")
    watched.api.scripts["ask"] = [stay(door), text("All done.", hold="reply")]
    watched.api.scripts["early"] = [text("not said", hold="model")]
    agent = watched.agent()
    watched.becomes("start", waiting(""))
    agent.say(play("ask"))
    watched.passes("prompt", working())
    agent.wait_for_request()
    watched.becomes("asks", needs_approval(COMMAND))
    agent.answer("Enter")
    with watched.command_runs(door):
        watched.becomes("approved", working(COMMAND))
        watched.holds(1)
    watched.reached("reply")
    watched.becomes("tool done", working("thinking"))
    watched.release("reply")
    agent.wait("All done")
    watched.becomes("turn ends", waiting(""))
    agent.say(play("early"))
    watched.reached("model")
    watched.becomes("prompt", working("thinking"))
    interrupt(agent)
    watched.becomes("interrupted", waiting("interrupted"))
    watched.holds(2)
    agent.kill9()
    watched.ends("killed")


def interrupt(agent: Agent) -> None:
    """The first Escape only makes it ask for a second one."""
    agent.key("Escape")
    agent.wait("again to")
    agent.key("Escape")
