"""Where agents stand in their lives, and what is written down of it."""

import json
from pathlib import Path
from typing import Any

import pytest

from contract import store
from contract.observation import observe
from contract.status import AgentStatus, SessionStatus
from support.builders import call, event
from support.cases import judge
from watcher.output.observations import LIMIT, Observations
from watcher.rules.law import MAIN_RULES, SUB_AGENT_RULES
from watcher.rules.lifecycle import BY_RULE

SUB: dict[str, Any] = {"agent_id": "a1", "agent_type": "Explore"}
INNER: dict[str, Any] = {"agent_id": "a2", "agent_type": "Explore"}


def agent(key: str = "main", rule: str = "turn-open", status: str = "working", **more: Any) -> AgentStatus:
    life = BY_RULE[rule]
    kind = "agent" if key == "main" else "sub_agent"
    known = {"state": life.state, "reason": life.reason, "how": life.how, **more}
    return AgentStatus(key, kind, None, None, status, "", 1.0, rule, "hook", **known)


def session(*agents: AgentStatus) -> SessionStatus:
    return SessionStatus("s", "proj", "/p", 1, "working", "", 1.0, "rule", "hook", agents=agents)


def seen(old: SessionStatus | None, new: SessionStatus | None) -> list[tuple[str, str]]:
    return [(one.kind, one.agent) for one in observe(old, new, 9.0)]


def test_every_rule_has_its_place_in_the_table_and_no_other() -> None:
    assert set(BY_RULE) == set(MAIN_RULES) | set(SUB_AGENT_RULES)


def test_a_parent_whose_turn_ended_is_suspended_until_the_last_child_has_joined() -> None:
    both = [
        (10, event("UserPromptSubmit", prompt="x")),
        (11, event("SubagentStart", **SUB)),
        (11, event("SubagentStart", **INNER)),
    ]
    listed = [{"id": name, "type": "subagent", "status": "running"} for name in ("a1", "a2")]
    both.append((12, event("Stop", background_tasks=listed)))
    assert BY_RULE[judge(*both, now=13)["main"].rule] == ("suspended", "sub_agent_join", "")
    one = [*both, (14, event("SubagentStop", **SUB))]
    assert BY_RULE[judge(*one, now=15)["main"].rule].reason == "sub_agent_join"
    none = [*one, (16, event("SubagentStop", **INNER))]
    assert BY_RULE[judge(*none, now=60)["main"].rule].reason == "user"


def test_an_agent_that_stopped_before_its_own_child_is_suspended_on_it() -> None:
    spawned = call("PostToolUse", "t", tool="Agent", given={"description": "x"}, tool_response={"agentId": "a2"}, **SUB)
    events = [
        (10, event("UserPromptSubmit", prompt="x")),
        (11, event("SubagentStart", **SUB)),
        (12, spawned),
        (12, event("SubagentStart", **INNER)),
        (13, event("SubagentStop", **SUB)),
    ]
    found = judge(*events, now=14, parents={"a1": "main", "a2": "a1"})
    assert (found["a1"].status, found["a1"].detail, found["a1"].rule) == ("working", "1 sub-agent", "outlived")
    ended = judge(*events, (15, event("SubagentStop", **INNER)), now=60, parents={"a1": "main", "a2": "a1"})
    assert ended["a1"].rule == "stopped"


def test_parents_in_a_circle_hang_nothing() -> None:
    events = [(11, event("SubagentStart", **SUB)), (11, event("SubagentStart", **INNER))]
    assert set(judge(*events, now=12, parents={"a1": "a2", "a2": "a1"})) == {"main", "a1", "a2"}


def test_a_change_of_status_is_observed_with_what_decided() -> None:
    asks = agent(rule="approval-asked", status="needs_approval")
    (suspended, changed) = observe(session(agent()), session(asks), 9.0)
    assert (suspended.kind, suspended.by, suspended.fields["reason"]) == ("suspended", "approval-asked", "approval")
    assert (changed.kind, changed.at, changed.session, changed.agent) == ("status_changed", 9.0, "s", "main")
    assert (changed.fields["from"], changed.fields["to"]) == ("working", "needs_approval")


def test_an_agent_that_goes_on_is_resumed() -> None:
    waits = agent(rule="turn-over", status="waiting")
    assert seen(session(waits), session(agent())) == [("resumed", "main"), ("status_changed", "main")]


def test_nothing_is_observed_when_nothing_changed() -> None:
    assert seen(session(agent()), session(agent())) == []


def test_a_child_that_ends_twice_changes_nothing_the_second_time() -> None:
    joined = agent("a1", "stopped", "waiting")
    assert seen(session(agent(), agent("a1", "at-work")), session(agent(), joined)) == [
        ("agent_process_changed", "a1"),
        ("status_changed", "a1"),
    ]
    assert seen(session(agent(), joined), session(agent(), joined)) == []


def test_the_end_of_a_child_that_nobody_saw_begin_makes_up_no_life_for_it() -> None:
    (one,) = observe(session(agent()), session(agent(), agent("a1", "stopped", "waiting")), 9.0)
    assert (one.kind, one.fields["from"], one.fields["to"]) == ("agent_process_changed", "unknown", "joined")


def test_when_a_parent_is_gone_its_children_end_too() -> None:
    old = session(agent(), agent("a1", "at-work"), agent("a2", "stopped", "waiting"))
    found = list(observe(old, None, 9.0))
    assert [(one.kind, one.agent, one.fields["to"]) for one in found] == [
        ("agent_process_changed", "main", "lost"),
        ("agent_process_changed", "a1", "lost"),
    ]


def test_an_agent_suspended_on_fewer_others_is_observed_anew() -> None:
    two = agent(rule="children-work", waits_for=("a1", "a2"))
    one = agent(rule="children-work", waits_for=("a2",))
    (found,) = observe(session(two), session(one), 9.0)
    assert (found.kind, found.fields["waits_for"]) == ("suspended", ["a2"])


def test_a_refusal_is_in_the_history_case_24() -> None:
    assert seen(session(agent()), session(agent(denied=8.0))) == [("denied", "main")]
    assert seen(session(agent(denied=8.0)), session(agent(denied=8.0))) == []


@pytest.mark.parametrize("rounds", [1, 400])
def test_observations_are_lines_in_order_and_the_file_stays_bounded(rounds: int, tmp_path: Path) -> None:
    book = Observations(str(tmp_path))
    big = {"detail": "x" * 20_000}
    for _ in range(rounds):
        book.write(observe(None, session(agent()), 9.0))
        book.write([])
        store.append(str(tmp_path / "observations.jsonl"), json.dumps(big).encode() + b"\n", limit=LIMIT)
    files = list(tmp_path.iterdir())
    assert sum(path.stat().st_size for path in files) < 2 * LIMIT + 50_000
    for path in files:
        assert path.stat().st_mode & 0o077 == 0
        assert all(json.loads(line) for line in path.read_text().splitlines())
