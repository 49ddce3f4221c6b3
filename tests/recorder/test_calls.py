"""Tool calls in flight: begun, asked for, ended."""

from typing import Any

import pytest

from contract import facts
from recorder import calls
from support.builders import ask, call, event, known


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


def test_a_request_told_with_the_end_of_an_equal_call_that_was_asked_for_is_the_next_ones() -> None:
    same = {"command": "x"}
    first = [call("PreToolUse", "a", given=same), ask(same)]
    then = [call("PreToolUse", "b", given=same), call("PostToolUseFailure", "a", given=same), ask(same)]
    fact = known(*first, *then, at=[1, 2, 3, 3.2, 3.1])
    assert fact.calls["b"].asked
    assert not fact.asks
    twice = known(*first, call("PostToolUse", "a", given=same), ask(same), at=[1, 2, 3, 2.05])
    assert not twice.asks, "two hook entries tell of one request"


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
    assert b"abcdefgh" not in facts.encode(known(call("PreToolUse", "t", tool=tool, given=given)))


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


def test_a_late_request_of_a_call_that_has_ended_is_not_that_of_the_next_one() -> None:
    """A person has allowed it before the hook of the request got anywhere."""
    one, two = {"command": "one"}, {"command": "two"}
    over = [call("PreToolUse", "t1", given=one), call("PostToolUse", "t1", given=one)]
    fact = known(*over, call("PreToolUse", "t2", given=two), ask(one))
    assert [(key, bool(call.asked)) for key, call in fact.calls.items()] == [("t2", False)]
    assert not fact.asks
    rewritten = known(*over, call("PreToolUse", "t2", given=two), ask({"command": "two, as a hook has it"}))
    assert rewritten.calls["t2"].asked


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


def test_of_the_newest_calls_that_have_ended_it_is_kept_when_they_began() -> None:
    """A command that runs is not that of a call which began after it."""
    ended = [call(event, f"t{n}") for n in range(10) for event in ("PreToolUse", "PostToolUse")]
    fact = known(*ended)
    assert [name for name, done in fact.done.items() if done.began] == [f"t{n}" for n in range(2, 10)]


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
