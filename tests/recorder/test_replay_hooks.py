"""The events of real sessions, through the real hook: the facts tell what happened."""

import json
from pathlib import Path
from typing import Any

import pytest

from contract import facts
from contract.facts import Fact
from support.builders import facts_in, run_hook
from support.project import TESTS

REPLAY = TESTS / "replay"


def events(name: str) -> list[dict[str, Any]]:
    lines = (REPLAY / name / "hooks.jsonl").read_text().splitlines()
    assert lines
    return [json.loads(line)["payload"] for line in lines]


def replay(home: Path, name: str, *, until: str = "SessionEnd", times: int = 1) -> dict[str, Fact]:
    """Facts by agent, after the events before the n-th one of that name. Sessions are told apart by their first 4."""
    for payload in events(name):
        times -= payload["hook_event_name"] == until
        if times == 0:
            break
        done = run_hook(home, payload)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert times == 0, f"{until} never came"
    return facts_in(home)


def is_open(fact: Fact) -> bool:
    return fact.turn is not None and fact.turn.is_open


def asked(fact: Fact) -> list[str]:
    return [call.name for call in fact.calls.values() if call.asked]


def test_every_recording_is_told_here() -> None:
    told = Path(__file__).read_text()
    assert [d.name for d in REPLAY.iterdir() if (d / "hooks.jsonl").exists() and f'"{d.name}"' not in told] == []


def test_approved_asks_until_the_result_comes(tmp_path: Path) -> None:
    main = replay(tmp_path, "approved", until="PostToolUse")["main"]
    assert (asked(main), is_open(main)) == (["Bash"], True)
    main = replay(tmp_path / "end", "approved")["main"]
    assert (main.calls, main.asks, is_open(main)) == ({}, [], False)


@pytest.mark.parametrize("name", ["rejected", "plan_dismissed", "approved_and_switched_to_auto"])
def test_no_event_tells_of_the_answer_to_a_prompt(name: str, tmp_path: Path) -> None:
    main = replay(tmp_path, name)["main"]
    assert is_open(main)
    assert len(asked(main)) == 1


def test_question_answered_is_over(tmp_path: Path) -> None:
    main = replay(tmp_path, "question_answered", until="PostToolUse")["main"]
    assert asked(main) == ["AskUserQuestion"]
    main = replay(tmp_path / "end", "question_answered")["main"]
    assert (main.calls, main.asks, is_open(main)) == ({}, [], False)


@pytest.mark.parametrize(
    ("name", "calls"),
    [("interrupted_while_a_tool_runs", 1), ("interrupted_while_text_streams", 0), ("killed_in_mid_tool", 1)],
)
def test_no_event_tells_of_an_interruption_or_a_kill(name: str, calls: int, tmp_path: Path) -> None:
    for payload in events(name):
        if payload["hook_event_name"] != "SessionEnd":
            run_hook(tmp_path, payload)
    main = facts_in(tmp_path)["main"]
    assert is_open(main)
    assert len(main.calls) == calls
    assert not asked(main)


def test_sub_agents_in_the_background_go_on_when_main_has_stopped(tmp_path: Path) -> None:
    found = replay(tmp_path, "sub_agents_in_the_background", until="SubagentStop")
    one, two = "aa5fb3115e8bd99c2", "a5fcb0dc687776b20"
    assert not is_open(found["main"])
    assert [task.type for task in found["main"].background] == ["subagent", "subagent"]
    assert {spawn.id for spawn in found["main"].spawned} == {one, two}
    assert asked(found[one]) == ["Bash"]
    assert not found[two].stopped


def test_sub_agents_in_the_background_are_stopped_in_the_end(tmp_path: Path) -> None:
    found = replay(tmp_path, "sub_agents_in_the_background")
    assert set(found) == {"main", "aa5fb3115e8bd99c2", "a5fcb0dc687776b20"}
    assert all(fact.stopped for name, fact in found.items() if name != "main")
    assert found["main"].background == []
    assert found["main"].turn is not None
    assert found["main"].turn.machine
    assert found["aa5fb3115e8bd99c2"].transcript.endswith("agent-aa5fb3115e8bd99c2.jsonl")


def test_api_error_is_kept_with_its_name(tmp_path: Path) -> None:
    main = replay(tmp_path, "api_error")["main"]
    assert main.turn is not None
    assert (main.turn.is_open, main.turn.error) == (False, "unknown")


def test_auto_mode_opens_a_dialog_is_a_notification(tmp_path: Path) -> None:
    main = replay(tmp_path, "auto_mode_opens_a_dialog")["main"]
    assert "agent_needs_input" in main.notes
    assert main.mode == "auto"


def test_background_shell_wakes_the_agent(tmp_path: Path) -> None:
    main = replay(tmp_path, "background_shell_wakes_the_agent", until="UserPromptSubmit", times=2)["main"]
    assert [(task.type, task.status) for task in main.background] == [("shell", "running")]
    assert not is_open(main)
    main = replay(tmp_path / "end", "background_shell_wakes_the_agent")["main"]
    assert main.background == []
    assert main.human is not None
    assert main.turn is not None
    assert main.turn.machine
    assert main.human < (main.turn.opened or (0, 0))


def test_cleared_ends_the_first_id_and_begins_another_in_the_same_process(tmp_path: Path) -> None:
    for payload in events("cleared")[:-1]:
        run_hook(tmp_path, payload)
    found = [facts.decode(p.read_bytes()) for p in sorted((tmp_path / "state" / "facts").glob("*.json"))]
    assert [(f.source, f.ended.word if f.ended else "") for f in found if f] == [("startup", "clear"), ("clear", "")]
    assert len({f.client.pid for f in found if f and f.client}) == 1


def test_compacted_leaves_no_trace_of_the_clients_own_agents(tmp_path: Path) -> None:
    middle = replay(tmp_path, "compacted", until="SubagentStop")
    assert middle["main"].compacting
    found = replay(tmp_path / "end", "compacted")
    assert set(found) == {"main"}
    assert (found["main"].compacting, is_open(found["main"])) == (None, False)
    assert found["main"].compacted


def test_resumed_has_nothing_open(tmp_path: Path) -> None:
    main = replay(tmp_path, "resumed")["main"]
    assert (main.source, main.turn) == ("resume", None)


def test_prompt_queued_in_mid_turn_keeps_the_turn_open_until_its_one_stop(tmp_path: Path) -> None:
    main = replay(tmp_path, "prompt_queued_in_mid_turn", until="Stop")["main"]
    assert main.turn is not None
    assert main.turn.is_open
    assert main.turn.opened != main.turn.prompted
    main = replay(tmp_path / "end", "prompt_queued_in_mid_turn")["main"]
    assert not is_open(main)


def test_teammate_in_a_pane_is_a_session_of_its_own_whose_prompt_shows_in_the_lead(tmp_path: Path) -> None:
    for payload in events("teammate_in_a_pane"):
        if payload["hook_event_name"] != "SessionEnd":
            run_hook(tmp_path, payload)
    found = [facts.decode(p.read_bytes()) for p in sorted((tmp_path / "state" / "facts").glob("*.json"))]
    mate, lead = [f for f in found if f]
    assert [note.word for note in lead.notes.values()] == ["researcher needs permission for Bash"]
    assert [(s.name, s.id) for s in lead.spawned] == [("researcher", "researcher@session-b9e5af69")]
    assert [task.type for task in lead.background] == ["teammate"]
    assert [(idle.word, idle.team) for idle in mate.idles] == [("researcher", "session-b9e5af69")]
    assert mate.type == "general-purpose"
