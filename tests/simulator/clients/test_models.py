"""The models of the other clients: they tell what was recorded of the real ones, and play all that they claim."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from simulator.clients import CLIENTS, model
from simulator.clients.generate import generate
from simulator.model import play
from simulator.observation import Hook, event_of
from simulator.program import NO, Ask, Call, Deed, Fail, Program, Retry, Say, Spawn, Together, Wait
from support.project import TESTS
from support.recordings import steps

if TYPE_CHECKING:
    from simulator.program import Move

YES_, NO_ = Ask(after=0.5), Ask(NO, 0.5)
ASKED, REFUSED, PLAIN = Call("Bash", "one", 0.3, YES_), Call("Bash", "two", 0.3, NO_), Call("Bash", "three", 0.3)
BOTH = Together((Call("Bash", "one", 0.3, YES_), Call("Bash", "two", 0.3, Ask(after=1.5))))
QUESTION = Call("AskUserQuestion", "Which colour?", 0.01, YES_)
LONG, STREAM, SILENT = Call("Bash", "sleep", 9.0), Say(9.0), Wait(9.0)
UNANSWERED = Call("Bash", "one", 0.3, Ask(""))


def said(*scripts: Move | tuple[Move, ...]) -> tuple[Deed, ...]:
    """One prompt after the other."""
    given = [script if isinstance(script, tuple) else (script,) for script in scripts]
    return tuple(Deed(2.0 + 15 * number, "a", "prompt", script) for number, script in enumerate(given))


def then(at: float, do: str, **more: Any) -> Deed:
    return Deed(at, more.pop("session", "a"), do, **more)


EXIT = then(300.0, "exit")
SUB = Spawn("kid", (Call("Bash", "touch kid", 0.3, YES_),))
RESUMED = (then(20.0, "exit"), then(23.0, "resume", session="c", word="a"), Deed(26.0, "c", "prompt", (Say(0.1),)))
CLEARED = (then(8.0, "clear"), *said((), Say(0.1))[1:])

# By client and recording: what a person and the model did.
SITUATIONS: dict[tuple[str, str], tuple[Deed, ...]] = {
    ("codex", "approve"): said((ASKED, PLAIN)),
    ("codex", "reject"): said(REFUSED),
    ("codex", "question"): said(QUESTION),
    ("codex", "two-asks"): said(BOTH),
    ("codex", "esc-early"): (*said(SILENT), then(6.0, "escape")),
    ("codex", "esc-stream"): (*said(STREAM), then(6.0, "escape")),
    ("codex", "esc-tool"): (*said(LONG), then(6.0, "escape")),
    ("codex", "error"): said(Fail(0.5), Fail(0.5)),
    ("codex", "kill9"): (*said(UNANSWERED), then(8.0, "kill")),
    ("codex", "resume"): (*said(Say(0.1)), *RESUMED),
    ("codex", "new"): (*said(Say(0.1)), *CLEARED, EXIT),
    ("codex", "compact"): (*said(Say(0.1)), then(8.0, "compact", takes=1.0)),
    ("codex-daemon", "daemon"): said(ASKED),
    ("copilot", "approve"): (*said((ASKED, Call("Write", "new.txt", 0.1, YES_)), BOTH), EXIT),
    ("copilot", "reject"): (*said(REFUSED), EXIT),
    ("copilot", "question"): (*said(QUESTION), EXIT),
    ("copilot", "error"): (*said(Fail(0.5), (Retry(200.0),)), then(32.0, "escape"), EXIT),
    ("copilot", "esc"): (*said(STREAM, SILENT, Say(0.1)), then(6.0, "escape"), then(21.0, "escape"), EXIT),
    ("copilot", "esc-tool"): (*said(LONG), then(6.0, "escape"), EXIT),
    ("copilot", "kill9"): (*said(UNANSWERED), then(8.0, "kill")),
    ("copilot", "subagent"): (*said(SUB), EXIT),
    ("gemini", "approve"): said((ASKED, Call("Write", "new.txt", 0.1, YES_))),
    ("gemini", "reject"): said(REFUSED, REFUSED),
    ("gemini", "question"): said(QUESTION),
    ("gemini", "two-asks"): said(BOTH),
    ("gemini", "esc-early"): (*said(SILENT), then(6.0, "escape")),
    ("gemini", "esc-stream"): (*said(STREAM), then(6.0, "escape")),
    ("gemini", "esc-tool"): (*said(replace(LONG, ask=YES_)), then(8.0, "escape")),
    ("gemini", "error"): said(Fail(0.5), (Retry(9.0), Wait(900.0)))[:2],
    ("gemini", "kill9"): (*said(UNANSWERED), then(8.0, "kill")),
    ("gemini", "clear"): (*said(Say(0.1)), *CLEARED),
    ("gemini", "resume"): (*said(Say(0.1)), *RESUMED),
    ("gemini", "start"): (*said(Say(0.1)), EXIT),
    ("gemini", "subagent"): said(SUB),
    ("opencode", "reject"): (*said(REFUSED, REFUSED), EXIT),
    ("opencode", "question"): (*said(QUESTION, QUESTION), EXIT),
    ("opencode", "esc"): (*said(STREAM, SILENT, LONG), *(then(at, "escape") for at in (6.0, 21.0, 36.0)), EXIT),
    ("opencode", "subagent"): (*said(SUB), EXIT),
    ("qwen", "slow-hook"): said(ASKED),
    ("qwen", "tour"): (
        *said(Say(0.1), ASKED, REFUSED, STREAM, SILENT, Fail(0.5)),
        *(then(at, "escape") for at in (50.0, 65.0)),
        EXIT,
    ),
}


def told(program: Program) -> list[str]:
    """The events in the order of their stamps."""
    hooks = [one for one in play(program, "/nowhere/.claude").seen if isinstance(one, Hook)]
    return [one.event for one in sorted(hooks, key=lambda one: one.stamp)]


def recorded(client: str, situation: str) -> list[str]:
    found = steps(TESTS / "replay" / client.partition("-")[0] / situation)
    return [event_of(step["payload"]) for step in found if "payload" in step]


@pytest.mark.parametrize(("client", "situation"), SITUATIONS, ids=[f"{a}-{b}" for a, b in SITUATIONS])
def test_a_model_tells_what_was_recorded(client: str, situation: str) -> None:
    deeds = (Deed(0.0, "a", "start"), *SITUATIONS[client, situation])
    program = Program(1, tuple(sorted(deeds, key=lambda deed: deed.at)), even=True, client=client)
    theirs = recorded(client, situation)
    assert len(theirs) > 2
    assert told(program)[: len(theirs)] == theirs
    assert len(told(program)) <= len(theirs) + (situation == "error" and client == "gemini")


@pytest.mark.parametrize("client", ["codex", "codex-daemon"])
def test_each_agent_of_codex_tells_what_was_recorded(client: str) -> None:
    """Those of different agents come in any order."""
    program = Program(1, (Deed(0.0, "a", "start"), *said((SUB, Say(0.1)))), even=True, client=client)
    hooks = [dict(one.payload) for one in play(program, "/nowhere/.claude").seen if isinstance(one, Hook)]
    theirs = [step["payload"] for step in steps(TESTS / "replay" / "codex" / "daemon-subagent") if "payload" in step]
    assert by_agent(hooks) == by_agent(theirs)


def by_agent(payloads: list[dict[str, Any]]) -> list[list[str]]:
    found: dict[str, list[str]] = {}
    for one in payloads:
        if event_of(one) != "SessionEnd":
            found.setdefault(str(one.get("agent_id", "")), []).append(event_of(one))
    return sorted(found.values())


@pytest.mark.parametrize("client", CLIENTS)
def test_the_programs_of_a_client_have_every_step_that_it_knows(client: str) -> None:
    programs = [generate(client, seed) for seed in range(1, 81)]
    moves = [move for one in programs for deed in one.deeds for move in deed.script]
    calls = [call for move in moves for call in (move.calls if isinstance(move, Together) else (move,))]
    kinds = {type(move).__name__ for move in moves}
    deeds = {deed.do for one in programs for deed in one.deeds}
    known = model(client)
    assert kinds >= {"Say", "Wait", "Retry", "Fail", "Call", "Spawn"} | ({"Together"} if known.together else set())
    assert deeds >= {"start", "prompt", "escape", "kill", "exit", "clear", "resume"}
    assert ("compact" in deeds) is known.compacts
    assert {call.ask.answer for call in calls if isinstance(call, Call) and call.ask} == {"yes", "no", ""}
    assert {call.tool for call in calls if isinstance(call, Call)} >= {"Bash", "AskUserQuestion"}
    faults = {fault.kind for one in programs for fault in one.faults}
    assert faults == {"lost", "late", "twice", "restart", "jump", "lag"}
    assert any(deed.session == "b" for one in programs for deed in one.deeds)
