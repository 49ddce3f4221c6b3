"""Sessions whose hooks say nothing: none are installed, or they told of nothing but the start."""

from __future__ import annotations

import contextlib
import json
from functools import partial
from typing import TYPE_CHECKING

import pytest

from contract.status import NEEDS_APPROVAL, WAITING
from e2e.harness import hooks
from e2e.harness.patience import until
from e2e.harness.script import ask, script, spawn, text, tool
from e2e.harness.truth import ONLY, Row, needs_approval, sub, waiting, working
from watcher.rules.evidence import UNHEARD_S

if TYPE_CHECKING:
    from e2e.harness.watched import Subject, Watched

TRIES, WRITTEN_S = 3, 20.0
ASKS = {"question": ask("Which one?", "this", "that"), "plan": tool("ExitPlanMode", plan="# Plan\n1. do it")}


class Unheard:
    """A session under the eyes of watchers that no hook tells of its turns.

    Without any hook a session is found by the registry alone: then the watcher that has none shows nothing. Where one
    hook told of the start, it has the transcript.
    """

    def __init__(self, watched: Watched, *, start_is_told: bool) -> None:
        self._watched, self._start_is_told = watched, start_is_told
        if start_is_told:
            watched.install()
            path = f"{watched.home.config}/settings.json"
            found = hooks.load(path)
            hooks.rewrite(path, {**found, "hooks": {"SessionStart": found["hooks"]["SessionStart"]}})

    def client(self, mode: str = "default") -> Subject:
        agent = self._watched.client(mode=mode)
        self.becomes("start", waiting(""))
        self._watched.holds(2 * UNHEARD_S)  # a prompt right after the start is taken for one that hooks will tell of
        return agent

    def becomes(self, kind: str, *rows: Row, via: str = "") -> None:
        self._watched.become(kind, {ONLY: rows}, None if self._start_is_told else {}, via)


@pytest.fixture(params=["no hook", "a hook at the start"])
def unheard(request: pytest.FixtureRequest, bare: Watched) -> Unheard:
    return Unheard(bare, start_is_told=request.param != "no hook")


def is_written(bare: Watched, agent: Subject, tool: str, times: int) -> bool:
    """Without hooks only the transcript tells what is asked, and the client may take seconds to write that down."""
    calls = (json.dumps(line.get("message")).count(f'"{tool}"') for line in bare.home.transcript(agent.session_id))
    return sum(calls) >= times


def asks(bare: Watched, unheard: Unheard, agent: Subject, kind: str) -> None:
    """Now and then the client writes a question down only when it is answered: nobody can know, so it asks again."""
    for times in range(1, TRIES + 1):
        agent.say(script({**ASKS[kind], "hold": f"model {times}"}, text("not said")))
        bare.reached(f"model {times}")
        unheard.becomes("prompt", working("thinking"))
        bare.release(f"model {times}")
        agent.wait_for_status("waiting")
        with contextlib.suppress(TimeoutError):
            until(partial(is_written, bare, agent, ASKS[kind]["tools"][0]["name"], times), WRITTEN_S)
            bare.moments.sees()
            return
        agent.answer("Escape")
        agent.wait_for_status("idle")
        unheard.becomes("rejected", waiting("interrupted"), via=NEEDS_APPROVAL)
    pytest.fail(f"{TRIES} times the client did not write down what it asks")


@pytest.mark.parametrize("kind", ASKS)
def test_a_question_or_plan_needs_approval_without_hooks(bare: Watched, unheard: Unheard, kind: str) -> None:
    agent = unheard.client("plan")
    asks(bare, unheard, agent, kind)
    unheard.becomes("asks", needs_approval(kind))
    agent.wait_for_dialog()
    bare.holds(1)
    agent.answer("Escape")
    agent.wait_for_status("idle")
    unheard.becomes("rejected", waiting("interrupted"))
    bare.holds(0.5)


def test_a_sub_agent_that_ended_is_over_without_hooks(bare: Watched, unheard: Unheard) -> None:
    agent = unheard.client()
    agent.say(script(spawn("job", text("sub done", hold="sub")), text("main stops"), text("woken", hold="woken")))
    bare.reached("sub")
    agent.wait_for_words("main stops")
    unheard.becomes("main stops", working("1 sub-agent"), sub(working("thinking")))
    bare.holds(0.5)
    bare.release("sub")
    bare.reached("woken")
    unheard.becomes("woken", working("thinking"), via=WAITING)  # the registry says idle before it says busy
    bare.holds(0.5)
    bare.release("woken")
    agent.wait_for_status("idle")
    unheard.becomes("turn ends", waiting(""))
    bare.holds(1)


def test_an_agent_with_a_goal_is_working_until_it_is_met_without_hooks(bare: Watched, unheard: Unheard) -> None:
    agent = unheard.client()
    agent.say(script(text("x", hold="first"), text("one", hold="one"), text("two", hold="two")))
    bare.reached("first")
    unheard.becomes("prompt", working("thinking"))
    bare.release("first")
    agent.wait_for_status("idle")
    unheard.becomes("turn ends", waiting(""))
    bare.api.judgements = [False]
    agent.say("/goal all is well")
    bare.reached("one")
    unheard.becomes("prompt", working("thinking"))
    bare.holds(1)
    bare.release("one")
    bare.reached("two")
    unheard.becomes("goal is not met", working("thinking"))
    bare.holds(1)
    bare.release("two")
    agent.wait_for_status("idle")
    unheard.becomes("goal is met", waiting(""))
    bare.holds(0.5)
