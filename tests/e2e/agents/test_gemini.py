"""Gemini CLI: every state of a real session, right within 2 s and without a flicker.

It takes long to start, so each test shows several of them.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from contract.status import NEEDS_APPROVAL, WAITING, WORKING
from e2e.agents.clients.gemini import TRUSTED, complete, own_hook, question, shell, spawn, stay, write
from e2e.agents.watched import finished
from e2e.harness.patience import until
from e2e.harness.script import play, text, together
from e2e.harness.truth import ONLY, needs_approval, waiting, working

if TYPE_CHECKING:
    from e2e.agents.agent import Agent
    from e2e.agents.conftest import Watch
    from e2e.agents.watched import WatchedAgents


@pytest.fixture
def watched(watch: Watch) -> WatchedAgents:
    return watch("gemini")


@pytest.fixture
def agent(watched: WatchedAgents) -> Agent:
    """One that waits for its first prompt: what is typed before it has told of its start may be lost."""
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


def test_an_approved_command_is_working_and_a_rejected_one_your_turn(watched: WatchedAgents, agent: Agent) -> None:
    door = watched.place.door("door")
    watched.api.scripts["ask"] = [stay(door), text("All done.", hold="reply")]
    watched.api.scripts["again"] = [shell("touch made"), text("not said")]
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
    watched.becomes("rejected", waiting("interrupted"))
    watched.holds(1)


def test_an_edit_is_asked_for_and_known_when_it_is_made(watched: WatchedAgents, agent: Agent) -> None:
    watched.api.scripts["edit"] = [write(f"{watched.place.project}/new.txt"), text("All done.", hold="reply")]
    agent.say(play("edit"))
    watched.passes("prompt", working())
    agent.wait_for_request()
    watched.becomes("asks", needs_approval("Write: new.txt"))
    watched.holds(0.5)
    agent.answer("Enter")
    watched.reached("reply")
    watched.becomes("tool done", working("thinking"))
    watched.holds(0.5)
    watched.release("reply")
    agent.wait("All done")
    watched.becomes("turn ends", waiting(""))


def test_of_two_requests_one_is_rejected_and_the_turn_goes_on(watched: WatchedAgents, agent: Agent) -> None:
    """It runs nothing before both are answered, and nothing tells that one is: which of them is shown is chance."""
    door = watched.place.door("door")
    watched.api.scripts["both"] = [together(stay(door), shell("touch two")), text("All done.", hold="reply")]
    agent.say(play("both"))
    watched.passes("prompt", working())
    agent.wait("1 of 2")
    watched.becomes("asks", needs_approval())
    agent.key("Enter")
    agent.wait("2 of 2")
    watched.holds(0.5)
    agent.key("Escape")
    with watched.command_runs(door):
        watched.becomes("approved", working())
        watched.holds(0.5)
    watched.reached("reply")
    watched.becomes("goes on", working("thinking"))
    watched.holds(0.5)
    watched.release("reply")
    agent.wait("All done")
    watched.becomes("turn ends", waiting(""))


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
    watched.api.scripts["one"] = [text("The answer is one.", hold="model")]
    agent.say(play("long"))
    watched.passes("prompt", working())
    agent.wait_for_request()
    watched.becomes("asks", needs_approval(f"Bash: wc {door}"))
    agent.answer("Enter")
    with watched.command_runs(door):
        watched.becomes("approved", working(f"Bash: wc {door}"))
        agent.key("Escape")
        watched.becomes("interrupted", waiting("interrupted"))
        watched.holds(1)
    agent.say(play("one"))
    watched.reached("model")
    watched.becomes("prompt", working("thinking"))
    watched.release("model")
    agent.wait("The answer is one")
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


def test_an_error_is_working_while_it_tries_again_and_your_turn_at_last(watched: WatchedAgents, agent: Agent) -> None:
    watched.api.scripts["limit"] = [text("It recovered.", status=429, times=1, pause="tried again")]
    watched.api.scripts["bad"] = [text("not said", status=400, error="INVALID_ARGUMENT", hold="model")]
    watched.api.scripts["one"] = [text("The answer is one.", hold="answer")]
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
    watched.becomes("error", waiting("error: invalid request"))
    watched.holds(1)
    agent.say(play("one"))
    watched.reached("answer")
    watched.becomes("prompt", working("thinking"))
    watched.release("answer")
    agent.wait("The answer is one")
    watched.becomes("turn ends", waiting(""))


def test_a_killed_session_is_gone_and_waits_when_it_is_resumed(watched: WatchedAgents, agent: Agent) -> None:
    watched.api.scripts["ask"] = [text("Hello.")]
    watched.api.scripts["more"] = [shell("touch made"), text("not said")]
    agent.say(play("ask"))
    watched.passes("prompt", working())
    agent.wait("Hello")
    watched.becomes("turn ends", waiting(""))
    session = watched.session()
    agent.say(play("more"))
    watched.passes("prompt", working())
    agent.wait_for_request()
    watched.becomes("asks", needs_approval("Bash: touch made"))
    agent.kill9()
    watched.ends("killed")
    watched.holds(0.5)
    again = watched.agent("--resume", "latest", shown=r"Hello[\s\S]*Type your message")
    watched.hears()
    watched.become("resumed", {session: (waiting(""),)})
    again.say(play("more"))
    watched.passes("prompt", working())
    again.wait_for_request()
    watched.become("asks", {session: (needs_approval("Bash: touch made"),)})
    again.answer("Escape")
    watched.become("rejected", {session: (waiting("interrupted"),)})
    watched.holds(0.5)


def test_a_cleared_session_leaves_one_with_another_name(watched: WatchedAgents, agent: Agent) -> None:
    watched.api.scripts["one"] = [text("The answer is one.")]
    agent.say(play("one"))
    watched.passes("prompt", working())
    agent.wait("The answer is one")
    watched.becomes("turn ends", waiting(""))
    before = watched.session()
    agent.terminal.type("/clear")
    agent.wait(r"^ > /clear\s+clear +Clear the screen.*\s+workspace ")  # Enter means whatever is offered first
    agent.key("Enter")
    until(lambda: watched.seen()[-1].sessions and watched.session() != before)
    watched.become("cleared", {watched.session(): (waiting(""),)}, via=WAITING)
    watched.holds(1)
    agent.say(play("one"))
    watched.passes("prompt", working())
    agent.wait("The answer is one")
    watched.becomes("turn ends", waiting(""))


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


def test_what_a_hook_of_yours_refuses_or_stops_is_your_turn(watched: WatchedAgents) -> None:
    refuse = """if grep -q 'play no'; then echo '{"decision":"block","reason":"no"}'; fi"""
    own_hook(watched.place, "BeforeAgent", refuse)
    own_hook(watched.place, "AfterTool", """cat > /dev/null; echo '{"continue":false,"stopReason":"enough"}'""")
    watched.api.scripts["one"] = [{**shell("ls"), "hold": "model"}, text("not said")]
    agent = watched.agent()
    watched.hears()
    watched.becomes("start", waiting(""))
    agent.say("play no")
    agent.wait("Agent execution blocked")
    # The refusal may come so soon after the prompt that nobody sees it working.
    watched.become("refused", {ONLY: (waiting(""),)}, via=WORKING)
    watched.holds(0.5)
    agent.say(play("one"))
    watched.reached("model")
    watched.becomes("prompt", working("thinking"))
    watched.release("model")
    agent.wait("Agent execution stopped")
    watched.becomes("stopped", waiting(""))
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


def test_one_that_is_started_with_a_prompt_works_at_once(watched: WatchedAgents) -> None:
    watched.api.scripts["one"] = [text("The answer is one.", hold="model")]
    agent = watched.agent("-i", play("one"), shown="Gemini CLI")
    watched.reached("model")
    watched.becomes("prompt", working("thinking"))
    watched.holds(1)
    watched.release("model")
    agent.wait("The answer is one")
    watched.becomes("turn ends", waiting(""))


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


def test_in_a_folder_that_is_not_trusted_its_state_is_not_known(watched: WatchedAgents) -> None:
    """No hook runs there."""
    watched.place.write(TRUSTED, {})
    agent = watched.agent(shown="Do you trust")
    told = json.loads(watched.run("tree", "--all", "--json").stdout)
    (found,) = [
        one for one in told["others"] if agent.pid in (one["pid"], *(child["pid"] for child in one["children"]))
    ]
    assert (found["command"], found["hooks"], told["sessions"]) == ("gemini", False, [])
    assert "(no hooks: state unknown)" in watched.run("tree", "--all").stdout
