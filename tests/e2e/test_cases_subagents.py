"""One agent starts others, and each has a state of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contract.status import WORKING
from e2e.harness.patience import until
from e2e.harness.script import bash, script, send, spawn, stay, text, together, tool
from e2e.harness.truth import needs_approval, sub, waiting, working

if TYPE_CHECKING:
    from e2e.harness.watched import Watched


def test_a_sub_agent_that_asks_while_others_work_is_seen_case_09(watched: Watched) -> None:
    agent = watched.client()
    watched.becomes("start", waiting(""))
    door = watched.home.door("door")
    asking, other = spawn("asks", stay(door), text("x", hold="asked")), spawn("works", text("x", hold="other"))
    agent.say(script(together(asking, other), text("x", hold="main")))
    watched.passes("prompt", working())
    watched.reached("main")
    agent.wait_for_dialog("wc")
    others = (sub(working("thinking")),)
    watched.becomes("sub-agent asks", working("thinking"), sub(needs_approval(f"Bash: wc {door}")), *others)
    watched.holds(0.7)
    agent.answer("Enter")
    with watched.command_runs(door):
        watched.becomes("approved", working("thinking"), sub(working(f"Bash: wc {door}")), *others)
        watched.holds(0.7)
    watched.becomes("tool done", working("thinking"), sub(working("thinking")), *others)
    watched.release("main")
    watched.becomes("main stops", working("2 sub-agents"), sub(working("thinking")), *others)
    watched.holds(0.5)


def test_a_sub_agent_goes_on_when_its_request_is_rejected(watched: Watched) -> None:
    agent = watched.client()
    watched.becomes("start", waiting(""))
    job = spawn("asks", bash("touch one"), {**bash("touch two"), "hold": "first"}, text("x", hold="second"))
    agent.say(script(job, text("main stops")))
    watched.passes("prompt", working())
    agent.wait_for_dialog("touch one")
    watched.becomes("sub-agent asks", working("1 sub-agent"), sub(needs_approval("Bash: touch one")))
    agent.answer("Escape")
    watched.becomes("rejected", working("1 sub-agent"), sub(working("thinking")))
    watched.holds(0.7)
    watched.release("first")
    agent.wait_for_dialog("touch two")
    watched.becomes("sub-agent asks", working("1 sub-agent"), sub(needs_approval("Bash: touch two")))
    agent.answer("3" if "3. No" in agent.dialog() else "4")
    watched.becomes("rejected", working("1 sub-agent"), sub(working("thinking")))
    watched.holds(0.7)


def test_main_stops_first_and_is_woken_by_its_sub_agents_cases_14_19_and_42(watched: Watched) -> None:
    agent = watched.client()
    watched.becomes("start", waiting(""))
    jobs = [spawn(name, text(f"{name} done", hold=name)) for name in ("one", "two")]
    woken = [text("x", hold="woken once"), text("x", hold="woken twice")]
    agent.say(script(together(*jobs), text("x", hold="main"), *woken))
    watched.passes("prompt", working())
    watched.reached("main")
    watched.becomes("sub-agent starts", working("thinking"), sub(working("thinking")), sub(working("thinking")))
    human = watched.seen()[-1].everything[0].human
    watched.holds(0.3)
    watched.release("main")
    watched.becomes("main stops", working("2 sub-agents"), sub(working("thinking")), sub(working("thinking")))
    watched.holds(1)
    watched.release("one")
    watched.reached("woken once")
    watched.becomes("woken", working("thinking"), sub(working("thinking")))
    watched.release("woken once")
    watched.becomes("main stops", working("1 sub-agent"), sub(working("thinking")))
    watched.holds(0.7)
    watched.release("two")
    watched.reached("woken twice")
    watched.becomes("woken", working("thinking"))
    watched.holds(0.3)
    watched.release("woken twice")
    agent.wait_for_status("idle")
    watched.becomes("turn ends", waiting(""))
    watched.holds(0.7)
    assert watched.seen()[-1].everything[0].human == human, "a machine's turn is no word of a person"


def test_a_sub_agent_that_stops_in_mid_turn_leaves_its_parent_working_case_19(watched: Watched) -> None:
    agent = watched.client(env={"CLAUDE_CODE_DISABLE_BACKGROUND_TASKS": "1"})
    watched.becomes("start", waiting(""))
    agent.say(script(spawn("job", text("sub done", hold="sub")), text("x", hold="main")))
    watched.passes("prompt", working())
    watched.reached("sub")
    watched.becomes("sub-agent starts", working("Agent: job"), sub(working("thinking")))
    watched.release("sub")
    watched.reached("main")
    watched.becomes("sub-agent stops", working("thinking"))
    watched.holds(0.7)
    watched.release("main")
    agent.wait_for_status("idle")
    watched.becomes("turn ends", waiting(""))


def test_a_finished_sub_agent_that_gets_a_message_works_again(watched: Watched) -> None:
    agent = watched.client()
    watched.becomes("start", waiting(""))
    agent.say(script(spawn("job", text("sub done", hold="sub")), text("main stops"), text("heard of it")))
    watched.passes("prompt", working())
    watched.reached("sub")
    agent.wait_for_words("main stops")
    watched.becomes("main stops", working("1 sub-agent"), sub(working("thinking")))
    name = next(a.key for a in watched.seen()[-1].everything[0].agents if a.kind == "sub_agent")
    watched.release("sub")
    agent.wait_for_words("heard of it")
    agent.wait_for_status("idle")
    watched.becomes("turn ends", waiting(""))
    agent.say(script(send(name, text("sub again", hold="again")), text("sent it"), text("heard again", hold="woken")))
    watched.passes("prompt", working())
    watched.reached("again")
    agent.wait_for_words("sent it")
    watched.becomes("main stops", working("1 sub-agent"), sub(working("thinking")))
    watched.holds(0.7)
    watched.release("again")
    watched.reached("woken")
    watched.becomes("woken", working("thinking"))
    watched.release("woken")
    agent.wait_for_status("idle")
    watched.becomes("turn ends", waiting(""))
    watched.holds(0.5)


def test_a_sub_agent_of_a_sub_agent_keeps_the_session_working(watched: Watched) -> None:
    agent = watched.client()
    watched.becomes("start", waiting(""))
    inner = spawn("inner", text("inner done", hold="inner"))
    outer = spawn("outer", inner, text("outer done"), text("outer heard", hold="outer"))
    agent.say(script(outer, text("main stops"), text("main heard", hold="main")))
    watched.passes("prompt", working())
    watched.reached("inner")
    agent.wait_for_words("main stops")
    rows = (sub(working("1 sub-agent")), sub(working("thinking"), parent="general-purpose"))
    watched.becomes("main stops", working("2 sub-agents"), *rows)
    watched.holds(0.7)
    watched.release("inner")
    watched.reached("outer")
    watched.becomes("woken", working("1 sub-agent"), sub(working("thinking")))
    watched.holds(0.7)
    watched.release("outer")
    watched.reached("main")
    watched.becomes("woken", working("thinking"))
    watched.holds(0.3)
    watched.release("main")
    agent.wait_for_status("idle")
    watched.becomes("turn ends", waiting(""))


def test_a_sub_agent_in_the_background_goes_on_when_its_session_is_cleared_case_86(watched: Watched) -> None:
    agent = watched.client()
    watched.becomes("start", waiting(""))
    job = spawn("job", {**bash("touch made"), "hold": "call"}, text("x", hold="end"))
    agent.say(script(job, text("main stops")))
    watched.passes("prompt", working())
    watched.reached("call")
    agent.wait_for_words("main stops")
    works = (working("1 sub-agent"), sub(working("thinking")))
    watched.becomes("main stops", *works)
    before = agent.session_id
    agent.say("/clear")
    until(lambda: agent.session_id != before, 10)
    watched.moments.sees()
    watched.become("cleared", {agent.session_id: works}, via=WORKING)
    watched.holds(2.5)  # longer than a report of the registry is taken for one of the command itself
    watched.release("call")
    agent.wait_for_dialog("touch made")
    asks = (working("1 sub-agent"), sub(needs_approval("Bash: touch made")))
    watched.become("sub-agent asks", {agent.session_id: asks})
    agent.answer("Escape")
    watched.become("rejected", {agent.session_id: works})
    watched.holds(0.5)


def test_a_workflow_keeps_the_session_working_case_18(watched: Watched) -> None:
    agent = watched.client()
    watched.becomes("start", waiting(""))
    job = script(text("flow done", hold="flow"))
    flow = f"export const meta = {{name: 'wf', description: 'demo'}}\nreturn await agent({job!r}, {{label: 'one'}})"
    agent.say(script(tool("Workflow", script=flow), text("main stops"), text("main heard", hold="main")))
    watched.passes("prompt", working())
    agent.wait_for_status("waiting")
    watched.becomes("asks", needs_approval("Workflow"))
    agent.answer("Enter")
    watched.reached("flow")
    agent.wait_for_words("main stops")
    watched.becomes("main stops", working(), sub(working("thinking"), "workflow-subagent"))
    watched.holds(0.7)
    watched.release("flow")
    watched.reached("main")
    watched.becomes("woken", working("thinking"))
    watched.release("main")
    agent.wait_for_status("idle")
    watched.becomes("turn ends", waiting(""))
    watched.holds(0.5)
    until(lambda: not agent.dialog(), 1)
