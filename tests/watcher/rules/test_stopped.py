"""The law: a client that is stopped with Ctrl-Z, and goes on."""

from dataclasses import replace
from typing import Any

from support.builders import ask, call, event
from support.cases import ASK, ASKING, PRE, PROMPT, SUB, WAITING, WORKING, judge, launched
from watcher.rules.dialogs import PastReport
from watcher.rules.evidence import RegistryReport


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


def test_a_request_that_was_settled_stays_so_while_its_client_is_stopped() -> None:
    """A hook has allowed it at 14.2; Ctrl-Z at 17."""
    seen = [*launched(SUB), (14.0, ask({"path": "1"}, tool="mcp__a__b", **SUB))]
    frozen = RegistryReport("busy", "", 10.1, is_now=False, slept_at=17.0)
    more: dict[str, Any] = {"report": frozen, "stopped_at": 17.0, "now": 30.0, "helpers": ()}
    assert judge(*seen, history=(PastReport("busy", 10.1, 17.0),), **more)["a1"].detail == "stopped"
    assert judge(*seen, history=(PastReport("busy", 10.1, 15.0),), **more)["a1"].status == ASKING, "stopped before"


def test_a_client_that_goes_on_after_ctrl_z_would_tell_of_a_dialog() -> None:
    seen = [*launched(SUB), (14.0, ask({"path": "1"}, tool="mcp__a__b", **SUB))]
    before = RegistryReport("busy", "", 10.1, is_now=False, slept_at=13.5)
    assert judge(*seen, now=17, report=before, helpers=())["a1"].status == WORKING
    assert judge(*seen, now=15, report=before, helpers=())["a1"].status == ASKING, "it may be about to"
    later = replace(before, slept_at=14.5)
    assert judge(*seen, now=17, report=later, helpers=())["a1"].status == ASKING, "what it had to tell may be lost"
