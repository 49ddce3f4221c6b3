"""The model of the client: it plays what was recorded."""

from __future__ import annotations

import ast
import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from simulator.model import play
from simulator.observation import Hook, Line
from simulator.program import NO, Ask, Call, Deed, Fail, Program, Say, Spawn, Together
from support.project import PROJECT
from support.simulating import REPLAY, prompted

if TYPE_CHECKING:
    from simulator.program import Move

KNOWS_THE_WATCHER = {"table.py", "watching.py", "disk.py", "visits.py", "mutants.py"}


def told(program: Program) -> list[str]:
    """The hook events in the order of their stamps."""
    hooks = [one for one in play(program, "/nowhere").seen if isinstance(one, Hook)]
    return [one.payload["hook_event_name"] for one in sorted(hooks, key=lambda one: one.stamp)]


def recorded(name: str) -> list[str]:
    lines = (REPLAY / name / "hooks.jsonl").read_text().splitlines()
    found = [json.loads(line)["payload"]["hook_event_name"] for line in lines]
    return [event for event in found if event != "SessionEnd"]


def test_the_model_knows_nothing_of_the_watcher() -> None:
    files = sorted((PROJECT / "simulator").rglob("*.py"))
    assert len(files) > 20
    for path in files:
        nodes = [n for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.ImportFrom)]
        rooms = {(n.module or "").split(".")[0] for n in nodes}
        assert path.name in KNOWS_THE_WATCHER or not rooms & {"watcher", "recorder"}, path.name


@pytest.mark.parametrize(
    ("name", "script"),
    [
        ("approved", (Call("Bash", "touch zz", 5.0, Ask(after=3.0)),)),
        ("rejected", (Call("Bash", "touch zz", 5.0, Ask(NO, 1.0)),)),
        ("question_answered", (Call("AskUserQuestion", "Which colour?", 0.01, Ask()),)),
        ("api_error", (Fail(0.5),)),
        ("background_shell_wakes_the_agent", (Call("Bash", "sleep 8", 8.0, background=True),)),
    ],
)
def test_the_model_sends_the_recorded_events(name: str, script: tuple[Move, ...]) -> None:
    assert told(prompted(*script)) == recorded(name)


def test_the_model_sends_the_recorded_events_of_an_interruption() -> None:
    program = prompted(Call("Bash", "sleep 30", 30.0))
    program = replace(program, deeds=(*program.deeds, Deed(4.0, "a", "escape")))
    assert told(program) == recorded("interrupted_while_a_tool_runs")


def test_the_model_sends_the_recorded_events_of_a_queued_prompt() -> None:
    program = prompted(Call("Bash", "sleep 5", 5.0))
    program = replace(program, deeds=(*program.deeds, Deed(3.0, "a", "prompt")))
    assert told(program) == recorded("prompt_queued_in_mid_turn")


def test_the_model_sends_the_recorded_events_of_a_compaction() -> None:
    program = prompted(Say(0.2))
    program = replace(program, deeds=(*program.deeds, Deed(4.0, "a", "compact", word="done", takes=0.1)))
    assert told(program) == recorded("compacted")


def test_the_model_sends_each_sub_agent_the_recorded_events() -> None:
    """Those of different agents come in any order, those of one agent in theirs."""
    one = Spawn("one", (Call("Bash", "touch sub1", 0.1, Ask(after=3.0)),))
    two = Spawn("two", (Say(3.0),))
    seen = play(prompted(Together((one, two)), Say(0.1)), "/nowhere").seen
    lines = (REPLAY / "sub_agents_in_the_background" / "hooks.jsonl").read_text().splitlines()
    payloads = [json.loads(line)["payload"] for line in lines]
    assert _by_agent([dict(one.payload) for one in seen if isinstance(one, Hook)]) == _by_agent(payloads)


def _by_agent(payloads: list[dict[str, object]]) -> list[list[str]]:
    """The synchronous events of each agent: the others may overtake them."""
    found: dict[str, list[str]] = {}
    for one in payloads:
        event = str(one["hook_event_name"])
        if not event.startswith("Post") and event != "SessionEnd":
            found.setdefault(str(one.get("agent_id", "")), []).append(event)
    return sorted(found.values())


def test_the_model_sends_lead_and_teammate_in_a_pane_the_recorded_events() -> None:
    """Those of different sessions come in any order; the recorded lead tried two other tools before."""
    mate = Spawn("researcher", (Call("Bash", "touch mate1", 0.1, Ask(after=5.0)),), is_mate=True, in_pane=True)
    seen = play(prompted(mate, Say(0.1)), "/nowhere").seen
    mine = [
        dict(one.payload) for one in sorted((one for one in seen if isinstance(one, Hook)), key=lambda one: one.stamp)
    ]
    lines = (REPLAY / "teammate_in_a_pane" / "hooks.jsonl").read_text().splitlines()
    theirs = [json.loads(line)["payload"] for line in lines]
    theirs = [one for one in theirs if one.get("tool_name") != "ToolSearch"]
    assert _by_session(mine) == _by_session(theirs)


def test_of_two_teammates_of_one_name_the_second_gets_a_number() -> None:
    """So the client itself does it, in panes and in its own process."""
    for in_pane in (True, False):
        mate = Spawn("pia", (Say(0.1),), is_mate=True, in_pane=in_pane)
        hooks = [one.payload for one in play(prompted(mate, mate), "/nowhere").seen if isinstance(one, Hook)]
        assert [hook["teammate_name"] for hook in hooks if "teammate_name" in hook] == ["pia", "pia-2"]


def test_a_prompt_that_waits_for_the_client_to_be_ready_waits_for_a_clear_before_it() -> None:
    program = prompted(Say(0.1))
    first, second = program.deeds
    both = (first, Deed(0.0, "a", "clear"), replace(second, at=0.0))
    events = told(replace(program, deeds=both))
    assert events[:4] == ["SessionStart", "SessionEnd", "SessionStart", "UserPromptSubmit"]


def test_a_prompt_of_the_moment_in_which_a_turn_ends_does_not_overtake_one_that_waits() -> None:
    program, typed = prompted(Say(3.0)), {3.0: "first", 4.2: "second"}
    deeds = [Deed(at, "a", "prompt", (Call("Read", name, 0.1),)) for at, name in typed.items()]
    seen = play(replace(program, deeds=(*program.deeds, *deeds)), "/nowhere").seen
    hooks = [one.payload for one in seen if isinstance(one, Hook)]
    names = [hook["hook_event_name"] for hook in hooks]
    assert names.index("Stop") < len(names) - 1 - names[::-1].index("UserPromptSubmit"), "it came when that had ended"
    read = [hook["tool_input"]["file_path"] for hook in hooks if hook["hook_event_name"] == "PreToolUse"]
    assert read == ["/home/me/proj/first", "/home/me/proj/second"]


def test_a_teammate_may_show_in_the_session_after_a_clear_what_it_was_a_moment_before() -> None:
    """It goes idle while its lead is cleared."""
    program = prompted(Spawn("mia", (Say(1.0),), is_mate=True, in_pane=True))
    cleared = replace(program, deeds=(*program.deeds, Deed(3.65, "a", "clear")))
    rows = [known for key, known in play(cleared, "/nowhere").truth.changes.items() if key[1] not in ("", "main")]
    states = [[change.state for change in known] for known in rows]
    assert states == [["absent", "working", "waiting", "absent"], ["absent", "working", "waiting"]]
    assert rows[1][2].at - rows[1][1].at < 0.01


def test_a_shell_that_ends_during_a_clear_is_news_for_the_session_after_it() -> None:
    program = prompted(Call("Bash", "npm test", 3.8, background=True))
    played = play(replace(program, deeds=(*program.deeds, Deed(5.0, "a", "clear"))), "/nowhere")
    news = [
        one.payload for one in played.seen if isinstance(one, Hook) and "<task-id>" in one.payload.get("prompt", "")
    ]
    (label,) = {key[0] for key in played.truth.changes if news[0]["session_id"] in key[0]}
    states = [change.state for change in played.truth.changes[label, "main"]]
    assert states == ["absent", "working", "waiting", "working", "waiting"], "cleared, then told"


def _by_session(payloads: list[dict[str, object]]) -> list[list[str]]:
    found: dict[str, list[str]] = {}
    for one in payloads:
        event = str(one["hook_event_name"])
        if not event.startswith("Post") and event != "SessionEnd":
            found.setdefault(str(one["session_id"]), []).append(event)
    return list(found.values())


def test_a_rejection_leaves_the_recorded_lines() -> None:
    seen = play(prompted(Call("Bash", "touch zz2", 5.0, Ask(NO, 1.0))), "/nowhere").seen
    mine = [_gist(json.loads(one.data)) for one in seen if isinstance(one, Line)]
    lines = (REPLAY / "transcripts" / "rejected.jsonl").read_text().splitlines()
    theirs = [gist for line in lines if (gist := _gist(json.loads(line)))]
    theirs = [gist for gist in theirs if gist != ("assistant", "text")]  # its words before the call
    assert mine == theirs


def _gist(record: dict[str, object]) -> tuple[str, str] | None:
    kind, message = str(record["type"]), record.get("message")
    if kind not in ("user", "assistant", "system"):
        return None
    content = message["content"] if isinstance(message, dict) else ""
    block = content[0]["type"] if isinstance(content, list) else "prompt" if content else ""
    return kind, str(record.get("toolDenialKind") or record.get("subtype") or block)


def test_leaving_a_step_out_leaves_the_delays_of_the_others() -> None:
    whole = Program(3, (Deed(0.0, "a", "start"), Deed(1.0, "a", "prompt", (Say(0.3),)), Deed(9.0, "b", "start")))
    less = replace(whole, deeds=whole.deeds[:2])
    of_a = [one for one in play(whole, "/x").seen if one.at < 9.0]
    assert [one.at for one in of_a] == [one.at for one in play(less, "/x").seen]
