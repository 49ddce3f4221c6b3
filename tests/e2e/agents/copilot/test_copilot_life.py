"""Copilot CLI: a session that is cleared, killed, resumed or without a terminal, and who tells of it."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from contract import facts, paths
from contract.clients import claude
from contract.status import NEEDS_APPROVAL, WAITING, WORKING
from e2e.agents.clients.copilot import HOOKS, STAYS, interrupt, shell, spawn, stay
from e2e.agents.watched import finished, hook
from e2e.harness.patience import until
from e2e.harness.script import play, text
from e2e.harness.truth import needs_approval, sub, waiting, working
from e2e.harness.watchers import ALL

if TYPE_CHECKING:
    from e2e.agents.agent import Agent
    from e2e.agents.watched import WatchedAgents


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


def test_a_cleared_session_gives_way_to_a_new_one_and_is_gone_when_it_is_killed(
    watched: WatchedAgents, agent: Agent
) -> None:
    watched.api.scripts["ask"] = [shell("touch made"), text("not said")]
    before = watched.session()
    watched.answers(agent, "one")
    watched.become("turn ends", {before: (waiting(""),)})
    agent.say("/clear")
    session = watched.session_after(before)
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
    watched.becomes("asks", needs_approval(STAYS))
    agent.answer("Enter")
    with watched.command_runs(door):
        watched.becomes("approved", working(STAYS))
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
