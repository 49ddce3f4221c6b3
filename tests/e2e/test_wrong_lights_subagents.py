"""Several agents at once: what one of them does must not hide that another one is blocked on you."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest

from e2e.harness import mcp_server
from e2e.harness.script import bash, script, spawn, stay, text, together, tool
from e2e.harness.truth import needs_approval, sub, waiting, working

if TYPE_CHECKING:
    from e2e.harness.watched import Watched

TRIES = int(os.environ.get("YOURTURN_TRIES", "4"))  # more of them where such a moment is hunted: YOURTURN_TRIES=20
EARLIEST_S, LATEST_S = -0.1, 0.5  # when the other one's command comes, from the moment the answer that asks is sent
SERVER = ("--strict-mcp-config", "--mcp-config", mcp_server.config())


def moments() -> list[float]:
    return [EARLIEST_S + (LATEST_S - EARLIEST_S) * number / max(TRIES - 1, 1) for number in range(TRIES)]


@pytest.mark.timeout(60 + 15 * TRIES)
def test_a_blocked_sub_agent_is_not_hidden_by_another_ones_command(watched: Watched) -> None:
    agent = watched.client()
    watched.becomes("start", waiting(""))
    asks = [{**bash(f"npm install x{number}"), "hold": f"ask {number}"} for number in range(TRIES)]
    runs = [{**bash("ls -la"), "hold": f"run {number}"} for number in range(TRIES)]
    jobs = [
        spawn("asks", *asks, text("x", hold=f"ask {TRIES}")),
        spawn("runs", *runs, text("x", hold=f"run {TRIES}")),
    ]
    agent.say(script(together(*jobs), text("main stops")))
    watched.passes("prompt", working())
    agent.wait_for_words("main stops")
    for number, moment in enumerate(moments()):
        watched.reached(f"ask {number}")
        watched.reached(f"run {number}")
        watched.becomes("both work", working("2 sub-agents"), sub(working("thinking")), sub(working("thinking")))
        release(watched, moment, number)
        agent.wait_for_dialog(f"x{number}")
        watched.reached(f"run {number + 1}")
        asking = sub(needs_approval(f"Bash: npm install x{number}"))
        watched.becomes("sub-agent asks", working("2 sub-agents"), asking, sub(working("thinking")))
        watched.holds(1)
        agent.answer("Escape")


def release(watched: Watched, moment: float, number: int) -> None:
    order = (f"ask {number}", f"run {number}")
    first, second = order if moment >= 0 else reversed(order)
    watched.release(first)
    time.sleep(abs(moment))  # the moment is what differs between the tries; nothing is awaited
    watched.release(second)


def test_an_agent_that_asks_is_not_hidden_by_its_own_command_beside(watched: Watched) -> None:
    agent = watched.client()
    watched.becomes("start", waiting(""))
    fetch = tool("WebFetch", url="https://example.org/page", prompt="what is there?")
    agent.say(script(together(bash("ls -la"), fetch), text("not said")))
    watched.passes("prompt", working())
    agent.wait_for_dialog("fetch")
    watched.becomes("asks", needs_approval("WebFetch: https://example.org/page"))
    watched.holds(1.5)
    agent.answer("Escape")
    watched.becomes("rejected", waiting("interrupted"))


def test_two_sub_agents_whose_server_calls_are_both_approved_work_while_the_results_take_long(watched: Watched) -> None:
    agent = watched.client(*SERVER)
    watched.becomes("start", waiting(""))
    one, two = watched.home.door("one"), watched.home.door("two")
    jobs = [spawn(door, tool(mcp_server.TOOL, door=door), text("x", hold=f"after {door}")) for door in (one, two)]
    agent.say(script(together(*jobs), text("main stops")))
    watched.passes("prompt", working())
    agent.wait_for_words("main stops")
    agent.wait_for_dialog()
    both_ask = (working("2 sub-agents"), *(sub(needs_approval(mcp_server.TOOL)) for _ in jobs))
    watched.becomes("sub-agents ask", *both_ask)
    watched.holds(0.5)
    first, second = (one, two) if one in agent.dialog() else (two, one)
    agent.answer("Enter", words=first)
    agent.answer("Enter", words=second)
    agent.wait_for_status("busy")
    # Without the registry nothing tells of the answers before the results do.
    watched.becomes(
        "approved",
        working("2 sub-agents"),
        *(sub(working(mcp_server.TOOL)) for _ in jobs),
        blind=both_ask,
    )
    watched.holds(2)


def test_two_sub_agents_whose_commands_are_approved_one_by_one_work_one_by_one(watched: Watched) -> None:
    agent = watched.client()
    watched.becomes("start", waiting(""))
    one, two = watched.home.door("one"), watched.home.door("two")
    jobs = [spawn(door, stay(door), text("x", hold=f"after {door}")) for door in (one, two)]
    agent.say(script(together(*jobs), text("main stops")))
    watched.passes("prompt", working())
    agent.wait_for_words("main stops")
    agent.wait_for_dialog()
    asked = [sub(needs_approval(f"Bash: wc {door}")) for door in (one, two)]
    runs = [sub(working(f"Bash: wc {door}")) for door in (one, two)]
    watched.becomes("sub-agents ask", working("2 sub-agents"), *asked)
    watched.holds(0.5)
    first, second = (0, 1) if f"wc {one}" in agent.dialog() else (1, 0)
    agent.answer("Enter", words=(one, two)[first])
    with watched.command_runs((one, two)[first]):
        watched.becomes("one approved", working("2 sub-agents"), runs[first], asked[second])
        watched.holds(1)
        agent.answer("Enter", words=(one, two)[second])
        with watched.command_runs((one, two)[second]):
            watched.becomes("both approved", working("2 sub-agents"), *runs)
            watched.holds(1.5)
