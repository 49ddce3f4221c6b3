"""What each event changes in a fact: sessions, sub-agents, teams, compactions and all that is not a call or a turn."""

from typing import Any

import pytest

from contract import facts
from contract.clients.claude import EVENTS
from recorder.changes import CHANGES
from recorder.clients import claude, qwen
from support.builders import ask, call, event, known, record


def test_every_event_we_register_has_its_change_and_no_other() -> None:
    assert set(claude.EVENTS) == set(EVENTS)
    told = {kind for kind, _ in claude.EVENTS.values()}
    assert told | {kind for kinds in qwen.EVENTS.values() for kind, _ in kinds} == set(CHANGES)
    assert len(EVENTS) == 19


def test_what_later_events_build_on_is_never_async() -> None:
    waited_for = {
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "Stop",
        "StopFailure",
        "SubagentStart",
        "SubagentStop",
        "SessionEnd",
    }
    assert not [name for name in waited_for if EVENTS[name]]


@pytest.mark.parametrize("name", sorted(EVENTS))
def test_any_event_may_be_the_first_one(name: str) -> None:
    fact = known(event(name, agent_type="general-purpose", tool_name="Bash", tool_use_id="t", tool_input={}))
    assert (fact.session, fact.agent, fact.seq) == (event(name)["session_id"], "main", 1)
    assert fact.last is not None
    assert fact.last.word == name


@pytest.mark.parametrize("name", sorted(EVENTS))
@pytest.mark.parametrize("junk", [None, 7, [], {}, "x", [7], [[]], {"a": []}])
def test_fields_of_the_wrong_type_break_nothing(name: str, junk: Any) -> None:
    keys = (
        "cwd", "agent_type", "permission_mode", "transcript_path", "prompt", "prompt_id", "tool_name", "tool_input",
        "tool_use_id", "tool_response", "tool_calls", "background_tasks", "session_crons", "notification_type",
        "message", "reason", "source", "error", "teammate_name", "team_name",
    )  # fmt: skip
    assert record(event(name, **dict.fromkeys(keys, junk)), event("Stop")) is not None


def test_a_stop_that_is_told_after_a_newer_start_ends_nobody() -> None:
    sub = {"agent_id": "a1", "agent_type": "Explore"}
    start, stop = event("SubagentStart", **sub), event("SubagentStop", **sub)
    assert known(start, start, stop, at=[1.0, 6.0, 5.0]).stopped is None
    assert known(start, stop, start, stop, at=[1.0, 2.0, 6.0, 7.0]).stopped == (7.0, 7.0)


def test_a_stopped_sub_agent_stays_stopped_when_late_events_come_case_20() -> None:
    sub = {"agent_id": "a1", "agent_type": "general-purpose"}
    fact = known(
        event("SubagentStart", **sub),
        event("SubagentStop", **sub),
        call("PreToolUse", "t", **sub),
        call("PostToolUse", "u", **sub),
        at=[1.0, 3.0, 2.0, 4.0],
    )
    assert fact.agent == "a1"
    assert fact.stopped == (3.0, 3.0)
    assert not fact.calls


def test_a_sub_agent_that_calls_a_tool_after_its_stop_was_sent_back_to_work_case_85() -> None:
    """By a SubagentStop hook of the user's. The client waits for this hook, so it cannot be late."""
    sub = {"agent_id": "a1", "agent_type": "general-purpose"}
    start, stop = event("SubagentStart", **sub), event("SubagentStop", **sub)
    asks = call("PreToolUse", "t", **sub), ask({"command": "echo t"}, **sub)
    fact = known(start, stop, *asks)
    assert (fact.stopped, fact.started, fact.woken) == (None, (1000.0, 1000.0), (1002.0, 1002.0))
    assert [bool(one.asked) for one in fact.calls.values()] == [True]
    over = known(start, stop, *asks, stop)
    assert over.stopped == (1004.0, 1004.0)
    assert not over.calls
    assert known(start, stop, stop).stopped == (1002.0, 1002.0), "it had only said something more"


def test_a_stopped_sub_agent_has_launched_whom_a_late_event_tells_of() -> None:
    """Events of calls overtake each other, and the other one goes on."""
    sub = {"agent_id": "a1", "agent_type": "general-purpose"}
    start, stop = event("SubagentStart", **sub), event("SubagentStop", **sub)
    late = call("PostToolUse", "t", tool="Agent", given={}, tool_response={"agentId": "a2", "isAsync": True}, **sub)
    fact = known(start, stop, late)
    assert [(one.id, one.call) for one in fact.spawned] == [("a2", "t")]
    assert (fact.stopped, fact.done, fact.seq) == ((1001.0, 1001.0), {}, 2)


def test_a_sub_agent_that_is_spoken_to_again_lives_again() -> None:
    sub = {"agent_id": "a1", "agent_type": "general-purpose"}
    fact = known(event("SubagentStart", **sub), event("SubagentStop", **sub), event("SubagentStart", **sub))
    assert fact.stopped is None
    assert fact.started == (1002.0, 1002.0)
    late = known(
        event("SubagentStart", **sub), event("SubagentStop", **sub), event("SubagentStart", **sub), at=[1, 9, 5]
    )
    assert late.stopped == (9.0, 9.0)


def test_the_stop_of_an_internal_agent_leaves_no_trace_case_22() -> None:
    assert record(event("SubagentStop", agent_id="x", agent_type="")) is None
    assert record(event("SubagentStop", agent_id="x", agent_type="general-purpose")) is not None


def test_a_compaction_in_mid_turn_resets_nothing_case_32() -> None:
    fact = known(
        event("UserPromptSubmit", prompt="x"), call("PreToolUse", "t"), event("SessionStart", source="compact")
    )
    assert fact.turn is not None
    assert fact.turn.is_open
    assert list(fact.calls) == ["t"]


@pytest.mark.parametrize("source", ["startup", "resume", "clear", "fork"])
def test_a_session_started_anew_has_nothing_open_case_34(source: str) -> None:
    tasks = [{"id": "b1", "type": "shell", "status": "running"}]
    fact = known(
        event("Stop", background_tasks=tasks),
        event("UserPromptSubmit", prompt="x"),
        call("PreToolUse", "t"),
        event("SessionStart", source=source),
    )
    assert fact.turn is not None
    assert not fact.turn.is_open
    assert not fact.calls
    assert not fact.background


def test_the_end_of_an_id_names_its_reason_and_a_new_start_takes_it_back_case_33() -> None:
    ended = known(event("SessionStart", source="startup"), event("SessionEnd", reason="clear"))
    assert ended.ended is not None
    assert ended.ended.word == "clear"
    again = known(event("SessionEnd", reason="resume"), event("SessionStart", source="resume"))
    assert again.ended is None


def test_compaction_lasts_from_pre_to_post() -> None:
    assert known(event("PreCompact", trigger="manual")).compacting == (1000.0, 1000.0)
    done = known(
        event("PreCompact", trigger="manual"),
        event("SessionStart", source="compact"),
        event("PostCompact", trigger="manual"),
    )
    assert done.compacting is None
    assert done.compacted == (1002.0, 1002.0)
    assert known(event("PostCompact"), event("PreCompact"), at=[9, 5]).compacting is None


def test_a_compaction_by_hand_comes_between_two_turns() -> None:
    begun = event("PreCompact", trigger="manual")
    asked = known(event("UserPromptSubmit", prompt="x"), call("PreToolUse", "t"), begun)
    assert asked.turn is not None
    assert (asked.turn.is_open, asked.calls) == (False, {})
    late = known(event("UserPromptSubmit", prompt="x"), begun, at=[9, 5])
    assert late.turn is not None
    assert late.turn.is_open, "of the time before that prompt"
    prompt, stop = event("UserPromptSubmit", prompt="x"), event("Stop")
    waited = known(prompt, prompt, stop, begun, at=[1, 2, 3, 9])
    assert waited.turn is not None
    assert (waited.turn.ended, waited.turn.queued) == ((9.0, 9.0), None), "no hook told of the turn in between"
    rested = known(prompt, stop, begun, at=[1, 3, 9])
    assert rested.turn is not None
    assert (rested.turn.ended, rested.turn.rested) == ((3.0, 3.0), (9.0, 9.0))


def test_a_question_of_an_mcp_server_is_open_until_its_result() -> None:
    asked, answered = event("Elicitation", mcp_server_name="s"), event("ElicitationResult", mcp_server_name="s")
    assert len(known(asked).questions) == 1
    assert known(asked, answered).questions == []
    assert len(known(asked, asked, answered).questions) == 1, "the first of two"
    assert known(asked, asked, answered, at=[5, 5.02, 6]).questions == [], "two hook entries tell of the same"
    assert len(known(asked, event("ElicitationResult", mcp_server_name="t")).questions) == 1, "another server's"
    assert len(known(answered, asked, at=[5, 9]).questions) == 1
    assert len(known(asked, answered, at=[9, 5]).questions) == 1, "an answer of before"


def test_notifications_are_kept_by_type_and_only_a_workers_request_with_its_words() -> None:
    fact = known(
        event("Notification", notification_type="idle_prompt", message="Claude is waiting"),
        event(
            "Notification", notification_type="worker_permission_prompt", message="researcher needs permission for Bash"
        ),
    )
    assert {kind: note.word for kind, note in fact.notes.items()} == {
        "idle_prompt": "",
        "worker_permission_prompt: researcher needs permission for Bash": "researcher needs permission for Bash",
    }


def test_agents_that_an_agent_started_are_kept_with_team_and_name() -> None:
    given = {
        "description": "one",
        "prompt": "secret",
        "subagent_type": "general-purpose",
        "name": "researcher",
        "team_name": "alpha",
    }
    fact = known(
        call(
            "PostToolUse",
            "t",
            tool="Agent",
            given=given,
            tool_response={"agentId": "researcher@alpha", "prompt": "secret"},
        )
    )
    assert [(s.id, s.call, s.name, s.team, s.type) for s in fact.spawned] == [
        ("researcher@alpha", "t", "researcher", "alpha", "general-purpose")
    ]
    assert b"secret" not in facts.encode(fact)


def test_a_teammate_whose_name_was_taken_is_known_by_the_one_that_the_client_gave_it_case_27() -> None:
    answer = {"agentId": "mia-2@alpha", "name": "mia-2", "team_name": "alpha", "status": "teammate_spawned"}
    named = known(call("PostToolUse", "t", tool="Agent", given={"name": "mia"}, tool_response=answer))
    assert [one.name for one in named.spawned] == ["mia-2"]
    nameless = known(call("PostToolUse", "t", tool="Agent", given={}, tool_response=answer))
    assert [one.name for one in nameless.spawned] == [""], "only a teammate is called for by a name"


def test_a_teammate_that_goes_idle_is_known_by_name_and_team() -> None:
    sub = {"agent_id": "a1", "agent_type": "general-purpose"}
    idle = {"teammate_name": "researcher", "team_name": "session-9df7420c"}
    fact = known(event("SubagentStart", **sub), event("SubagentStop", **sub), event("TeammateIdle", **sub, **idle))
    assert [(idle.word, idle.team) for idle in fact.idles] == [("researcher", "session-9df7420c")]


def test_lists_in_a_fact_are_bounded() -> None:
    fact = known(
        *[call("PreToolUse", f"t{k}") for k in range(300)], *[call("PostToolUse", f"d{k}") for k in range(300)]
    )
    assert len(fact.calls) == 256
    assert len(fact.done) == 256
    tasks = [{"id": str(k), "type": "shell"} for k in range(3000)]
    assert len(known(event("Stop", background_tasks=tasks)).background) == 1000


@pytest.mark.parametrize("name", ["SubagentStop", "StopFailure"])
def test_the_end_of_an_agent_of_the_clients_own_makes_no_row(name: str) -> None:
    assert record(event(name, agent_id="a1", error="unknown")) is None
    assert record(event(name, agent_id="a1", agent_type="Explore")) is not None
