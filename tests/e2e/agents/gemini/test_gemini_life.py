"""Gemini CLI: a session that is cleared, killed, resumed or without a terminal, and where its hooks do not run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from contract.status import NEEDS_APPROVAL, WAITING, WORKING
from e2e.agents.clients.gemini import TRUSTED, own_hook, shell
from e2e.agents.watched import finished
from e2e.harness.patience import until
from e2e.harness.script import play, text
from e2e.harness.truth import ONLY, needs_approval, waiting, working

if TYPE_CHECKING:
    from e2e.agents.agent import Agent
    from e2e.agents.watched import WatchedAgents


def test_a_killed_session_is_gone_and_waits_when_it_is_resumed(watched: WatchedAgents, agent: Agent) -> None:
    watched.api.scripts["more"] = [shell("touch made"), text("not said")]
    watched.answers(agent, "hello", "Hello.")
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
    watched.answers(agent, "one")
    watched.becomes("turn ends", waiting(""))
    before = watched.session()
    agent.terminal.type("/clear")
    agent.wait(r"^ > /clear\s+clear +Clear the screen.*\s+workspace ")  # Enter means whatever is offered first
    agent.key("Enter")
    watched.become("cleared", {watched.session_after(before): (waiting(""),)}, via=WAITING)
    watched.holds(1)
    watched.answers(agent, "two")
    watched.becomes("turn ends", waiting(""))


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
