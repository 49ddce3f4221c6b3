"""What each event changes in a fact."""

from typing import Any

import pytest

from contract import facts
from contract.clients.claude import EVENTS
from contract.facts import Stamp
from recorder import calls, changes
from recorder.changes import CHANGES
from recorder.clients import claude
from support.builders import ask, call, event, known, record


def test_every_event_we_register_has_its_change_and_no_other() -> None:
    assert set(claude.EVENTS) == set(EVENTS)
    assert {kind for kind, _ in claude.EVENTS.values()} == set(CHANGES)
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


def test_a_call_is_in_flight_from_pre_to_post() -> None:
    begun = known(call("PreToolUse", "t1", given={"command": "npm test"}))
    assert (begun.calls["t1"].name, begun.calls["t1"].target) == ("Bash", "npm test")
    assert begun.turn is not None
    assert begun.turn.is_open
    assert not known(call("PreToolUse", "t1"), call("PostToolUse", "t1")).calls
    assert not known(call("PreToolUse", "t1"), call("PostToolUseFailure", "t1")).calls


@pytest.mark.parametrize(
    ("tool", "given", "target"),
    [
        ("Edit", {"file_path": "/home/me/src/app.py", "old_string": "secret"}, "app.py"),
        ("WebFetch", {"url": "https://u:p@host/path?token=1", "prompt": "x"}, "https://***@host/path?***"),
        ("Agent", {"description": "look around", "prompt": "long secret prompt"}, "look around"),
        ("mcp__db__query", {"sql": "select 1"}, ""),
        ("Bash", {"command": "TOKEN=abc run\x1b[2J " + "x" * 300}, "TOKEN=*** ***"),
        ("Bash", {"command": "make " + "all " * 100}, "make " + "all " * 13 + "al…"),
    ],
)
def test_of_an_input_only_a_short_clean_target_is_kept(tool: str, given: dict[str, Any], target: str) -> None:
    assert known(call("PreToolUse", "t1", tool=tool, given=given)).calls["t1"].target == target


def test_a_request_without_an_id_finds_its_call_by_equal_input_case_8() -> None:
    one, two = {"command": "one", "timeout": 5}, {"command": "two"}
    fact = known(
        call("PreToolUse", "a", given=one), call("PreToolUse", "b", given=two), ask({"timeout": 5, "command": "one"})
    )
    assert [name for name, c in fact.calls.items() if c.asked] == ["a"]


def test_two_equal_calls_are_asked_for_one_after_the_other_case_8() -> None:
    same = {"command": "one"}
    fact = known(call("PreToolUse", "a", given=same), call("PreToolUse", "b", given=same), ask(same), ask(same))
    assert [name for name, c in fact.calls.items() if c.asked] == ["a", "b"]


def test_without_an_equal_one_it_is_the_newest_pending_call_of_that_tool_case_8() -> None:
    fact = known(
        call("PreToolUse", "a"),
        call("PreToolUse", "b"),
        call("PreToolUse", "w", tool="Write"),
        ask({"command": "rewritten"}),
    )
    assert [name for name, c in fact.calls.items() if c.asked] == ["b"]


def test_without_any_call_the_request_is_kept_on_its_own_case_8() -> None:
    fact = known(call("PreToolUse", "a", tool="Write"), ask({"command": "npm test"}))
    assert not fact.calls["a"].asked
    assert [(a.name, a.target) for a in fact.asks] == [("Bash", "npm test")]


def test_a_request_on_its_own_joins_its_call_when_that_comes_late() -> None:
    fact = known(ask({"command": "x"}), call("PreToolUse", "a", given={"command": "x"}))
    assert fact.calls["a"].asked == (1000.0, 1000.0)
    assert not fact.asks


def test_a_request_recorded_after_the_end_of_its_call_asks_for_nothing() -> None:
    same = {"command": "x"}
    late = known(call("PreToolUse", "a", given=same), call("PostToolUse", "a", given=same), ask(same), at=[1, 9, 5])
    assert not late.asks
    after_stop = known(call("PreToolUse", "a", given=same), event("Stop"), ask(same), at=[1, 9, 5])
    assert not after_stop.asks
    assert after_stop.turn is not None
    assert not after_stop.turn.is_open


def test_a_late_pre_tool_use_does_not_open_a_call_that_has_ended() -> None:
    for times in ([1.0, 0.5], [1.0, 1.5]):
        assert not known(call("PostToolUse", "a"), call("PreToolUse", "a"), at=times).calls
    assert not known(event("UserPromptSubmit", prompt="x"), event("Stop"), call("PreToolUse", "a"), at=[0, 9, 5]).calls


def test_a_batch_ends_the_calls_that_no_other_event_tells_of() -> None:
    refused = {"tool_use_id": "a", "tool_name": "Bash", "tool_input": {"command": "echo a"}}
    fact = known(call("PreToolUse", "a"), call("PreToolUse", "b"), event("PostToolBatch", tool_calls=[refused, None]))
    assert list(fact.calls) == ["b"]


def test_a_denial_by_auto_mode_ends_the_call_and_is_remembered_case_24() -> None:
    fact = known(call("PreToolUse", "a"), call("PermissionDenied", "a", reason="no"))
    assert not fact.calls
    assert fact.denied is not None
    assert fact.denied.word == "Bash"


def test_a_stop_ends_the_turn_and_all_its_calls() -> None:
    fact = known(
        event("UserPromptSubmit", prompt="x", prompt_id="p"), call("PreToolUse", "a"), event("Stop", prompt_id="p")
    )
    assert fact.turn is not None
    assert fact.turn.ended == (1002.0, 1002.0)
    assert not fact.calls


def test_an_older_stop_does_not_end_a_newer_turn() -> None:
    fact = known(
        event("UserPromptSubmit", prompt="a"), event("UserPromptSubmit", prompt="b"), event("Stop"), at=[1, 9, 5]
    )
    assert fact.turn is not None
    assert fact.turn.is_open


def test_an_older_prompt_does_not_open_a_turn_that_has_ended() -> None:
    fact = known(
        event("UserPromptSubmit", prompt="a"), event("Stop"), event("UserPromptSubmit", prompt="b"), at=[1, 9, 5]
    )
    assert fact.turn is not None
    assert not fact.turn.is_open


def test_events_after_the_wall_clock_was_set_back_are_newer_all_the_same() -> None:
    fact = None
    steps = (
        event("UserPromptSubmit", prompt="a", prompt_id="1"),
        call("PreToolUse", "t"),
        event("UserPromptSubmit", prompt="b", prompt_id="2"),
        event("Stop", prompt_id="2"),
        event("UserPromptSubmit", prompt="c", prompt_id="3"),
        event("Stop", prompt_id="3"),
    )
    for k, one in enumerate(steps):
        (change,) = claude.translate(one)
        fact = changes.record(fact, change, Stamp((9000.0 - 1000 * k, 100.0 + k)))
    assert fact is not None
    assert fact.turn is not None
    assert (fact.turn.id, fact.turn.opened, fact.turn.ended) == ("3", (5000.0, 104.0), (4000.0, 105.0))
    assert not fact.calls
    assert not fact.turn.queued


def test_a_prompt_queued_in_mid_turn_belongs_to_the_turn_case_41() -> None:
    fact = known(
        event("UserPromptSubmit", prompt="a", prompt_id="p"),
        call("PreToolUse", "t"),
        event("UserPromptSubmit", prompt="b", prompt_id="p"),
    )
    assert fact.turn is not None
    assert (fact.turn.opened, fact.turn.prompted) == ((1000.0, 1000.0), (1002.0, 1002.0))
    assert list(fact.calls) == ["t"]
    assert fact.turn.queued == (1002.0, 1002.0)


def test_the_end_of_a_turn_that_is_told_in_the_next_one_does_not_end_that() -> None:
    """A person need not wait for the hooks of a turn's end."""
    first, second = event("UserPromptSubmit", prompt_id="p"), event("UserPromptSubmit", prompt_id="q")
    late = known(first, second, event("StopFailure", prompt_id="p", error="rate_limit"))
    assert late.turn is not None
    assert late.turn.is_open
    own = known(first, second, event("Stop", prompt_id="q"))
    assert own.turn is not None
    assert not own.turn.is_open
    queued = known(first, event("UserPromptSubmit", prompt_id="p"), event("Stop", prompt_id="r"))
    assert queued.turn is not None
    assert not queued.turn.is_open, "a turn that a prompt from the queue began has an id of which no hook told"


def test_a_prompt_that_two_hook_entries_tell_of_is_one_prompt() -> None:
    (prompt,) = claude.translate(event("UserPromptSubmit", prompt="a", prompt_id="p"))
    fact = changes.record(changes.record(None, prompt, Stamp((1000.0, 1000.0))), prompt, Stamp((1000.02, 1000.02)))
    assert fact is not None
    assert fact.turn is not None
    assert fact.turn.queued is None


def test_a_queued_prompt_is_taken_in_by_the_next_batch_of_calls_case_41() -> None:
    first, second = (
        event("UserPromptSubmit", prompt="a", prompt_id="p"),
        event("UserPromptSubmit", prompt="b", prompt_id="p"),
    )
    taken = known(first, second, event("PostToolBatch", tool_calls=[]), event("Stop"))
    left = known(first, second, event("Stop"))
    assert taken.turn is not None
    assert left.turn is not None
    assert (taken.turn.queued, left.turn.queued) == (None, (1001.0, 1001.0))


def test_a_task_notification_is_a_machine_turn_and_no_human_activity_case_42() -> None:
    fact = known(
        event("UserPromptSubmit", prompt="hi"),
        event("Stop"),
        event("UserPromptSubmit", prompt="<task-notification>\n<task-id>x"),
    )
    assert fact.turn is not None
    assert fact.turn.machine
    assert fact.human == (1000.0, 1000.0)


def test_of_a_notification_only_the_task_is_kept_case_42() -> None:
    words = "<task-notification>\n<task-id>a5fc</task-id>\n<result>swordfish</result>"
    fact = known(event("UserPromptSubmit", prompt=words))
    assert fact.heard == {"a5fc": (1000.0, 1000.0)}
    assert b"swordfish" not in _bytes(fact)
    junk = ["<task-notification>", "<task-notification><task-id>", "<task-notification><task-id>\x1b[2J</task-id>"]
    assert not known(*[event("UserPromptSubmit", prompt=one) for one in junk]).heard


def test_no_prompt_is_kept() -> None:
    assert b"swordfish" not in _bytes(known(event("UserPromptSubmit", prompt="the swordfish prompt")))
    assert b"swordfish" not in _bytes(known(event("Stop", last_assistant_message="swordfish")))
    assert b"swordfish" not in _bytes(
        known(event("Notification", notification_type="idle_prompt", message="swordfish"))
    )


def _bytes(fact: Any) -> bytes:
    return facts.encode(fact)


def test_a_failed_stop_keeps_its_error_until_the_next_turn() -> None:
    failed = known(event("UserPromptSubmit", prompt="x"), event("StopFailure", error="rate_limit"))
    assert failed.turn is not None
    assert failed.turn.error == "rate_limit"
    again = known(
        event("UserPromptSubmit", prompt="x"),
        event("StopFailure", error="rate_limit"),
        event("UserPromptSubmit", prompt="y"),
    )
    assert again.turn is not None
    assert not again.turn.error


def test_background_tasks_and_crons_of_a_stop_are_kept() -> None:
    tasks = [{"id": "b1", "type": "shell", "status": "running", "description": "secret", "command": "secret"}]
    crons = [{"id": "c1", "schedule": "*/5 * * * *", "recurring": True, "prompt": "secret"}]
    fact = known(event("Stop", background_tasks=tasks, session_crons=crons))
    assert [(t.id, t.type, t.status) for t in fact.background] == [("b1", "shell", "running")]
    assert [(c.id, c.schedule, c.recurring) for c in fact.crons] == [("c1", "*/5 * * * *", True)]
    assert b"secret" not in _bytes(fact)


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
    )
    assert fact.agent == "a1"
    assert fact.stopped == (1001.0, 1001.0)
    assert not fact.calls


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
    assert b"secret" not in _bytes(fact)


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


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Bash", {"command": "curl -H 'Authorization: Bearer sk-ant-api03-abcdefgh'"}),
        ("Grep", {"pattern": "sk-ant-api03-abcdefgh"}),
        ("Glob", {"pattern": "sk-ant-api03-abcdefgh"}),
        ("WebSearch", {"query": "what is sk-ant-api03-abcdefgh"}),
        ("Agent", {"description": "use sk-ant-api03-abcdefgh"}),
        ("Read", {"file_path": "/home/me/sk-ant-api03-abcdefgh"}),
    ],
)
def test_a_secret_in_the_target_of_any_call_is_masked(tool: str, given: dict[str, Any]) -> None:
    assert b"abcdefgh" not in _bytes(known(call("PreToolUse", "t", tool=tool, given=given)))


def test_a_call_that_is_told_twice_is_still_asked_for() -> None:
    fact = known(call("PreToolUse", "t1"), ask({"command": "echo t1"}), call("PreToolUse", "t1"))
    assert fact.calls["t1"].asked == (1001.0, 1001.0)
    assert fact.calls["t1"].began == (1000.0, 1000.0)


def test_the_late_end_of_an_equal_call_before_it_leaves_the_request_open() -> None:
    same = {"command": "npm test"}
    fact = known(
        call("PreToolUse", "t1", given=same),
        call("PreToolUse", "t2", given=same),
        ask(same),
        call("PostToolUse", "t1", given=same),
    )
    assert [(key, bool(one.asked)) for key, one in fact.calls.items()] == [("t2", True)]


def test_the_late_end_of_an_equal_call_leaves_a_request_without_a_call_open() -> None:
    same = {"command": "npm test"}
    fact = known(
        call("PreToolUse", "t1", given=same), ask(same), call("PostToolUse", "t1", given=same),
        ask(same), call("PostToolUse", "t1", given=same), at=[1000.0, 1001.0, 1002.0, 1020.0, 1021.0],
    )  # fmt: skip
    assert len(fact.asks) == 1


def test_a_request_that_is_told_after_the_end_of_its_call_is_void() -> None:
    fact = known(call("PreToolUse", "t1"), call("PostToolUse", "t1"), ask({"command": "echo t1"}))
    assert not fact.asks


def test_equal_calls_that_ask_one_after_the_other_leave_no_request_behind() -> None:
    same = {"command": "npm test"}
    both = [call("PreToolUse", "t1", given=same), call("PreToolUse", "t2", given=same)]
    ends = [call("PostToolUse", "t1", given=same), call("PostToolUse", "t2", given=same)]
    for events in ([*both, ask(same), ask(same), *ends], [*both, ask(same), ends[0], ask(same), ends[1]]):
        fact = known(*events)
        assert not fact.asks
        assert not fact.calls


def test_a_new_turn_ends_the_calls_of_the_one_before() -> None:
    rejected = [event("UserPromptSubmit", prompt_id="a"), call("PreToolUse", "t1"), ask({"command": "echo t1"})]
    assert not known(*rejected, event("UserPromptSubmit", prompt_id="b")).calls


def test_a_prompt_that_is_queued_in_mid_turn_ends_no_call() -> None:
    asked = [event("UserPromptSubmit", prompt_id="a"), call("PreToolUse", "t1"), ask({"command": "echo t1"})]
    assert known(*asked, event("UserPromptSubmit", prompt_id="a")).calls["t1"].asked


@pytest.mark.parametrize("name", ["SubagentStop", "StopFailure"])
def test_the_end_of_an_agent_of_the_clients_own_makes_no_row(name: str) -> None:
    assert record(event(name, agent_id="a1", error="unknown")) is None
    assert record(event(name, agent_id="a1", agent_type="Explore")) is not None


def test_a_prompt_that_was_queued_in_an_earlier_process_is_forgotten() -> None:
    queued = [event("UserPromptSubmit", prompt_id="a"), event("UserPromptSubmit", prompt_id="a")]
    fact = known(*queued, event("SessionStart", source="resume"))
    assert fact.turn is not None
    assert fact.turn.queued is None


def test_of_a_batch_of_very_many_calls_only_so_many_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each took as long as an event of its own, and a million of them most of a minute."""
    looked: list[object] = []

    def digest(given: object) -> str:
        looked.append(given)
        return ""

    monkeypatch.setattr(calls, "_digest", digest)
    many = [{"tool_name": "Bash", "tool_use_id": f"x{k}", "tool_input": {}} for k in range(10_000)]
    mine = {"tool_name": "Bash", "tool_use_id": "t", "tool_input": {}}
    fact = known(call("PreToolUse", "t"), event("PostToolBatch", tool_calls=[mine, *many]))
    assert not fact.calls
    assert len(fact.done) == 256
    assert "x9999" in fact.done
    assert len(looked) < 300
