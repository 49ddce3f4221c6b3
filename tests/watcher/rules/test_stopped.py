"""The law: a client that is stopped with Ctrl-Z, and goes on."""

from dataclasses import replace
from typing import Any

from contract.facts import Mark, Stamp
from support.builders import ask, call, event
from support.cases import ASK, ASKING, PRE, PROMPT, SUB, WAITING, WORKING, facts_of, judge, launched, stop
from watcher.rules.evidence import Evidence, RegistryReport
from watcher.rules.law import resolve
from watcher.rules.past_reports import PastReport


def test_a_sub_agent_that_waits_for_its_own_stays_when_their_client_is_stopped() -> None:
    inner = {"agent_id": "a2", "agent_type": "Explore"}
    made = (12.0, call("PostToolUse", "g", tool="Agent", given={}, tool_response={"agentId": "a2"}, **SUB))
    seen = [*launched(SUB)[:-1], made, (12.1, event("SubagentStart", **inner)), (13.0, event("SubagentStop", **SUB))]
    parents = {"a1": "main", "a2": "a1"}
    assert judge(*seen, now=20, parents=parents)["a1"].status == WORKING
    found = judge(*seen, now=20, parents=parents, stopped_at=19.0)
    assert [(found[key].status, found[key].detail) for key in ("a1", "a2")] == [(WAITING, "stopped")] * 2


def test_a_client_that_is_stopped_waits_case_73() -> None:
    found = judge(*launched(SUB), now=31, stopped_at=30.0)
    assert [(one.status, one.detail) for one in found.values()] == [(WAITING, "stopped")] * 2
    assert judge(PROMPT, PRE, ASK, now=31, stopped_at=30.0)["main"].status == ASKING, "it asks all the same"


def test_a_client_that_somebody_is_ending_is_not_shown_as_stopped() -> None:
    facts = facts_of([PROMPT])
    facts["main"].killed = Mark(at=Stamp((29.9, 29.9)), word="terminal")
    assert resolve(Evidence(now=30.1, facts=facts, stopped_at=30.0))["main"].status == WORKING
    facts["main"].killed = None
    assert resolve(Evidence(now=30.1, facts=facts, stopped_at=30.0))["main"].detail == "stopped", "it was let live"


def test_a_request_that_was_settled_stays_so_while_its_client_is_stopped() -> None:
    """A hook has allowed it at 14.2; Ctrl-Z at 17."""
    seen = [*launched(SUB), (14.0, ask({"path": "1"}, tool="mcp__a__b", **SUB))]
    frozen = RegistryReport("busy", "", 10.1, is_now=False, slept_at=17.0)
    more: dict[str, Any] = {"report": frozen, "stopped_at": 17.0, "now": 30.0, "helpers": ()}
    assert judge(*seen, history=(PastReport("busy", 10.1, 17.0),), **more)["a1"].detail == "stopped"
    assert judge(*seen, history=(PastReport("busy", 10.1, 15.0),), **more)["a1"].status == ASKING, "stopped before"


def test_what_an_earlier_watcher_showed_as_asked_is_not_answered_by_a_silence_that_nobody_watched() -> None:
    """It alone has seen that the client was stopped before it could tell of the dialog."""
    facts = facts_of([*launched(SUB), (14.0, ask({"path": "1"}, tool="mcp__a__b", **SUB))])
    before = RegistryReport("busy", "", 10.1)
    seen = Evidence(now=20.1, facts=facts, report=before, helpers=(), held={"a1": 20.0})
    assert resolve(replace(seen, held={}))["a1"].status == WORKING, "nobody has shown it"
    found = resolve(seen)["a1"]
    assert (found.status, found.until) == (ASKING, 22.0)
    assert resolve(replace(seen, now=22.1))["a1"].status == WORKING, "it would have told by now"
    dialog = RegistryReport("waiting", "permission prompt", 20.15)
    told = replace(seen, now=20.3, report=dialog, history=(PastReport("busy", 10.1, 20.15),))
    assert resolve(told)["a1"].status == ASKING
    closed = replace(seen, report=RegistryReport("busy", "", 19.0))
    assert resolve(closed)["a1"].status == WORKING, "the registry has spoken since it was asked"
    young = replace(seen, now=16.1, held={"a1": 15.0})
    assert resolve(young)["a1"].status == WORKING, "the earlier one had no time to know better"


def test_a_foreground_request_that_an_earlier_watcher_showed_stays_asked() -> None:
    facts, before = facts_of([PROMPT, PRE, ASK]), RegistryReport("busy", "", 10.1)
    seen = Evidence(now=20.1, facts=facts, report=before, held={"main": 20.0})
    assert resolve(seen)["main"].status == ASKING
    dialog = RegistryReport("waiting", "permission prompt", 20.15)
    told = replace(seen, now=20.3, report=dialog, history=(PastReport("busy", 10.1, 20.15),))
    assert resolve(told)["main"].status == ASKING
    assert resolve(replace(seen, now=22.1))["main"].status == WORKING


def test_a_client_that_went_on_is_judged_again_when_its_registry_is_believed() -> None:
    """A Stop hook of the user's own has sent it back to work, of which nothing else tells for now."""
    before = RegistryReport("busy", "", 10.1, is_now=False, slept_at=11.0, believed_from=14.0)
    found = judge(PROMPT, stop(12.5), now=13.0, report=before)["main"]
    assert (found.status, found.until) == (WAITING, 14.0)
    assert judge(PROMPT, stop(12.5), now=14.0, report=replace(before, is_now=True))["main"].status == WORKING


def test_a_client_that_goes_on_after_ctrl_z_would_tell_of_a_dialog() -> None:
    seen = [*launched(SUB), (14.0, ask({"path": "1"}, tool="mcp__a__b", **SUB))]
    before = RegistryReport("busy", "", 10.1, is_now=False, slept_at=13.5)
    assert judge(*seen, now=17, report=before, helpers=())["a1"].status == WORKING
    assert judge(*seen, now=15, report=before, helpers=())["a1"].status == ASKING, "it may be about to"
    later = replace(before, slept_at=14.5)
    assert judge(*seen, now=17, report=later, helpers=())["a1"].status == ASKING, "what it had to tell may be lost"
