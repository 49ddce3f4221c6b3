"""What OpenCode's plugin hands on, in our words."""

from __future__ import annotations

from typing import Any

import pytest

from contract.facts import Fact, Stamp
from recorder import changes
from recorder.clients import opencode

BASH = {"tool": "bash", "about": {"command": "npm test"}}


def told(name: str, **more: Any) -> dict[str, Any]:
    return {"event": name, "session": "s1", "cwd": "/home/me/proj", **more}


def known(*events: dict[str, Any]) -> Fact:
    fact: Fact | None = None
    for time, one in enumerate(events, 1000):
        for number, change in enumerate(opencode.translate(one)):
            at = time + number / 1000
            fact = changes.record(fact, change, Stamp((at, at))) or fact
    assert fact is not None
    return fact


def asked(fact: Fact) -> list[str]:
    return [call.target for call in (*fact.calls.values(), *fact.asks) if call.asked]


def test_an_event_that_nobody_hands_on_is_refused() -> None:
    with pytest.raises(ValueError, match="none we listen to"):
        opencode.translate(told("session.updated"))


def test_a_request_is_open_until_it_is_answered() -> None:
    asks = [told("tool.began", call="a", **BASH), told("permission.asked", call="a", **BASH)]
    assert asked(known(*asks)) == ["npm test"]
    yes = known(*asks, told("permission.approved", call="a", **BASH))
    assert (asked(yes), list(yes.calls)) == ([], ["a"])
    no = known(*asks, told("permission.rejected", call="a", **BASH))
    assert (asked(no), list(no.calls)) == ([], [])


def test_of_two_requests_the_other_one_stays_open() -> None:
    two = {"tool": "bash", "about": {"command": "npm run build"}}
    fact = known(
        told("tool.began", call="a", **BASH),
        told("permission.asked", call="a", **BASH),
        told("tool.began", call="b", **two),
        told("permission.asked", call="b", **two),
        told("permission.approved", call="a", **BASH),
    )
    assert asked(fact) == ["npm run build"]


def test_a_question_is_asked_and_answered() -> None:
    question = told("question.asked", call="q", tool="question")
    assert [ask.name for ask in known(question).asks] == ["AskUserQuestion"]
    assert known(question, told("question.answered", call="q", tool="question")).asks == []


def test_a_session_that_is_prompted_again_after_its_end_is_in_a_turn() -> None:
    fact = known(told("session.busy", source="startup"), told("session.ended"), told("session.busy", source="resume"))
    assert fact.turn is not None
    assert (fact.turn.is_open, fact.ended) == (True, None)


def test_an_error_stays_when_it_rests() -> None:
    fact = known(told("session.busy"), told("session.error", error="APIError"), told("session.idle"))
    assert fact.turn is not None
    assert (fact.turn.is_open, fact.turn.error) == (False, "APIError")


def test_a_sub_agent_starts_and_stops_under_its_own_id() -> None:
    fact = known(told("session.busy", agent="s2", type="general"))
    assert (fact.session, fact.agent, fact.type, fact.started is not None) == ("s1", "s2", "general", True)
    assert known(told("session.busy", agent="s2"), told("session.idle", agent="s2")).stopped


def test_a_file_is_told_by_its_name() -> None:
    fact = known(told("tool.began", call="a", tool="write", about={"filePath": "/home/me/proj/new.txt"}))
    assert (fact.calls["a"].name, fact.calls["a"].target) == ("Write", "new.txt")
