"""Hooks of your own beside ours: they send the model back to work, answer for you, hold a prompt back, or are slow."""

from __future__ import annotations

import shlex
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from contract import facts, paths, store
from contract.status import NEEDS_APPROVAL, WAITING
from e2e.harness import mcp_server
from e2e.harness.patience import until
from e2e.harness.script import bash, script, spawn, stay, text, tool
from e2e.harness.truth import ONLY, needs_approval, sub, waiting, working
from e2e.harness.watched import ALL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from e2e.harness.truth import Row
    from e2e.harness.watched import Subject, Watched

SERVER = ("--strict-mcp-config", "--mcp-config", mcp_server.config())
ALLOW = '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}'
GO_ON = {
    "exit 2": "echo not yet >&2; exit 2",
    "a decision": """echo '{"decision":"block","reason":"not yet"}'""",
}
HELD_BACK = {
    "exit 2": "echo no >&2; exit 2",
    "a decision": """echo '{"decision":"block","reason":"no"}'""",
    "continue false": """echo '{"continue":false,"stopReason":"no"}'""",
}
ROUNDS = 3


def so_often(times: int, command: str) -> str:
    """A hook's command that does this only so many times."""
    count = "count=$(cat ~/count 2>/dev/null || echo 0); echo $((count + 1)) > ~/count"
    return f"{count}; [ $count -lt {times} ] || exit 0; {command}"


@pytest.mark.parametrize("how", GO_ON)
def test_an_agent_that_a_stop_hook_sends_back_is_working(watched: Watched, how: str) -> None:
    watched.own_hook("Stop", so_often(ROUNDS, GO_ON[how]))
    agent = watched.client()
    watched.becomes("start", waiting(""))
    agent.say(script(*(text(f"round {number}", hold=f"round {number}") for number in range(ROUNDS + 1))))
    watched.reached("round 0")
    watched.becomes("prompt", working("thinking"))
    with never(WAITING, watched):
        for number in range(ROUNDS):
            watched.release(f"round {number}")
            watched.reached(f"round {number + 1}")
            is_sent_back(watched, agent, number + 1)
            watched.holds(1)
    watched.release(f"round {ROUNDS}")
    agent.wait_for_status("idle")
    watched.becomes("turn ends", waiting(""))
    watched.holds(0.5)


def is_sent_back(watched: Watched, agent: Subject, times: int, *others: Row) -> None:
    """Without the registry that is only known when the transcript tells."""
    until(lambda: agent.told("stop_hook_summary") >= times, 20, lambda: "the transcript does not tell")
    watched.moments.sees()
    watched.become("sent back", {ONLY: (working("thinking"), *others)}, via=WAITING)


@contextmanager
def never(status: str, watched: Watched) -> Iterator[None]:
    """With all evidence it is not said for a moment."""
    before = len(watched.seen(ALL))
    yield
    for sample in watched.seen(ALL)[before:]:
        assert all(session["status"] != status for session in sample.sessions), watched.story()


def test_an_agent_that_a_stop_hook_sends_back_is_working_beside_its_sub_agent(watched: Watched) -> None:
    watched.own_hook("Stop", so_often(1, GO_ON["exit 2"]))
    agent = watched.client()
    watched.becomes("start", waiting(""))
    agent.say(script(spawn("job", text("x", hold="sub")), text("x", hold="first"), text("again", hold="second")))
    watched.reached("sub")
    watched.reached("first")
    watched.becomes("prompt", working("thinking"), sub(working("thinking")))
    watched.release("first")
    watched.reached("second")
    is_sent_back(watched, agent, 1, sub(working("thinking")))
    watched.holds(1)
    watched.release("second")
    agent.wait_for_words("again")
    watched.becomes("main stops", working("1 sub-agent"), sub(working("thinking")))
    watched.holds(1)


def test_a_sub_agent_that_a_hook_sends_back_asks_and_works_case_85(watched: Watched) -> None:
    watched.own_hook("SubagentStop", so_often(1, GO_ON["exit 2"]))
    agent = watched.client()
    watched.becomes("start", waiting(""))
    job = spawn("job", text("x", hold="first"), bash("touch made"), text("x", hold="end"))
    agent.say(script(job, text("main stops")))
    watched.reached("first")
    agent.wait_for_words("main stops")
    watched.becomes("main stops", working("1 sub-agent"), sub(working("thinking")))
    watched.release("first")
    agent.wait_for_dialog("touch made")
    watched.becomes("sub-agent asks", working("1 sub-agent"), sub(needs_approval("Bash: touch made")))
    watched.holds(0.7)
    agent.answer("Enter")
    watched.reached("end")
    watched.becomes("approved", working("1 sub-agent"), sub(working("thinking")))
    watched.holds(0.5)


def test_an_agent_with_a_goal_is_working_until_it_is_met(watched: Watched) -> None:
    agent = watched.client()
    watched.becomes("start", waiting(""))
    agent.say(script(text("x"), text("one", hold="one"), text("two", hold="two")))
    watched.passes("prompt", working())
    agent.wait_for_status("idle")
    watched.becomes("turn ends", waiting(""))
    watched.api.judgements = [False]
    agent.say("/goal all is well")
    watched.reached("one")
    watched.becomes("prompt", working("thinking"))
    with never(WAITING, watched):
        watched.release("one")
        watched.reached("two")
        is_sent_back(watched, agent, 2)
        watched.holds(1)
    watched.release("two")
    agent.wait_for_status("idle")
    watched.becomes("goal is met", waiting(""))
    watched.holds(0.5)


@pytest.mark.parametrize("how", HELD_BACK)
def test_a_prompt_that_a_hook_holds_back_leaves_the_agent_waiting(watched: Watched, how: str) -> None:
    door = watched.home.door("door")
    watched.own_hook("UserPromptSubmit", f"cat {shlex.quote(door)}; {HELD_BACK[how]}")
    agent = watched.client()
    watched.becomes("start", waiting(""))
    agent.say(script(text("not said")))
    with watched.command_runs(door):
        watched.becomes("prompt", working("thinking"))
        watched.holds(0.5)
    agent.wait_for_status("idle")
    watched.becomes("held back", waiting())
    watched.holds(1)


def test_a_call_that_a_hook_allows_at_once_is_working_however_long_it_takes(watched: Watched) -> None:
    watched.own_hook("PermissionRequest", f"echo {shlex.quote(ALLOW)}")
    agent = watched.client(*SERVER)
    watched.becomes("start", waiting(""))
    door = watched.home.door("door")
    agent.say(script({**tool(mcp_server.TOOL, door=door), "hold": "call"}, text("x", hold="end")))
    watched.reached("call")
    watched.becomes("prompt", working("thinking"))
    watched.release("call")
    with watched.command_runs(door):
        # For a moment the client's dialog is really open, so what was shown before the request does not count.
        until(lambda: all(map(knows_the_request, watched.states.values())), otherwise=watched.story)
        until(lambda: is_cleared(agent, watched.states[ALL]), otherwise=watched.story)
        # Without the registry nothing tells of the answer before the result does.
        allowed, asked = working(mcp_server.TOOL), needs_approval(mcp_server.TOOL)
        watched.become("allowed", {ONLY: (allowed,)}, {ONLY: (asked,)}, via=NEEDS_APPROVAL)
        watched.holds(2)
    watched.reached("end")
    watched.becomes("tool done", working("thinking"))


def test_a_command_of_a_sub_agent_that_a_hook_allows_at_once_is_working(watched: Watched) -> None:
    watched.own_hook("PermissionRequest", f"echo {shlex.quote(ALLOW)}")
    agent = watched.client()
    watched.becomes("start", waiting(""))
    door = watched.home.door("door")
    agent.say(script(spawn("job", {**stay(door), "hold": "call"}, text("x", hold="end")), text("main stops")))
    watched.reached("call")
    agent.wait_for_words("main stops")
    watched.becomes("main stops", working("1 sub-agent"), sub(working("thinking")))
    watched.release("call")
    with watched.command_runs(door):
        until(lambda: all(map(knows_the_request, watched.states.values())), 20, watched.story)
        watched.moments.sees()
        runs = (working("1 sub-agent"), sub(working(f"Bash: wc {door}")))
        watched.become("allowed", {ONLY: runs}, via=NEEDS_APPROVAL)
        watched.holds(2)


def knows_the_request(state: str) -> bool:
    """Our hook may be slower than the one that allows: then the command runs before we are told that it is asked."""
    return bool(asked_since(state))


def asked_since(state: str) -> list[float]:
    """When the calls began that were asked for."""
    found = (store.read(f"{paths.fact_dir(state)}/{name}") for name in store.names(paths.fact_dir(state)))
    told = [facts.decode(data) for data in found if data]
    return [call.began[0] for fact in told if fact for call in fact.calls.values() if call.asked and call.began]


def is_cleared(agent: Subject, state: str) -> bool:
    """The client has closed the dialog that it opened for a moment."""
    told = agent.registry()
    return bool(told.get("status") == "busy" and told["statusUpdatedAt"] / 1000 > max(asked_since(state)))


def test_a_sub_agent_that_asks_while_a_slow_hook_of_yours_looks_on_needs_approval(watched: Watched) -> None:
    """The client shows the dialog when all hooks have ended; until then its registry says busy."""
    door = watched.home.door("door")
    watched.own_hook("PermissionRequest", f"cat {shlex.quote(door)}")
    agent = watched.client()
    watched.becomes("start", waiting(""))
    agent.say(script(spawn("job", {**bash("touch made"), "hold": "call"}, text("x", hold="end")), text("main stops")))
    watched.reached("call")
    agent.wait_for_words("main stops")
    watched.becomes("main stops", working("1 sub-agent"), sub(working("thinking")))
    watched.release("call")
    asks = (working("1 sub-agent"), sub(needs_approval("Bash: touch made")))
    with watched.command_runs(door):
        watched.becomes("sub-agent asks", *asks)
        watched.holds(3)
    agent.wait_for_dialog("touch made")
    watched.becomes("dialog", *asks)
    watched.holds(1)
    agent.answer("Enter")
    watched.reached("end")
    watched.becomes("approved", working("1 sub-agent"), sub(working("thinking")))
