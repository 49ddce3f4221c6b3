"""The simulator: its model plays what was recorded, its checker finds what is wrong, its programs are right."""

from __future__ import annotations

import ast
import json
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

import simulator.program
from simulator.__main__ import main, run
from simulator.checker import check
from simulator.generate import first, generate
from simulator.judgement import judge
from simulator.model import play
from simulator.mutants import mutants
from simulator.observation import BOOT, NOON, Hook, Line
from simulator.program import NO, Ask, Call, Deed, Fail, Own, Program, Say, Spawn, Together
from simulator.shrink import shrink, sign
from simulator.story import pasteable, story
from simulator.truth import NEEDS_APPROVAL, WAITING, WORKING
from simulator.unknowable import UNKNOWABLE, excuses
from support.project import PROJECT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from simulator.checker import Findings
    from simulator.judgement import Judgement
    from simulator.program import Move

REPLAY = PROJECT / "tests" / "replay"
SEEDS = [line.split()[0] for line in (PROJECT / "simulator" / "seeds.txt").read_text().splitlines() if line.strip()]
KNOWS_THE_WATCHER = {"table.py", "watching.py", "disk.py", "mutants.py"}
FIXED, CHUNK = 300, 5


def prompted(*script: Move, **more: object) -> Program:
    deeds = (Deed(0.0, "a", "start"), Deed(1.0, "a", "prompt", script))
    return replace(Program(1, deeds, even=True), **more)  # type: ignore[arg-type]


def told(program: Program) -> list[str]:
    """The hook events in the order of their stamps."""
    hooks = [one for one in play(program, "/nowhere").seen if isinstance(one, Hook)]
    return [one.payload["hook_event_name"] for one in sorted(hooks, key=lambda one: one.stamp)]


def recorded(name: str) -> list[str]:
    lines = (REPLAY / name / "hooks.jsonl").read_text().splitlines()
    found = [json.loads(line)["payload"]["hook_event_name"] for line in lines]
    return [event for event in found if event != "SessionEnd"]


def pasted(source: str) -> Program:
    found = eval(source, dict(vars(simulator.program)))  # noqa: S307 - our own words
    assert isinstance(found, Program)
    return found


# --- the model


def test_the_model_knows_nothing_of_the_watcher() -> None:
    files = sorted((PROJECT / "simulator").glob("*.py"))
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


# --- the checker


def altered(found: Judgement, before: str, after: str) -> Findings:
    """The verdict if every light of one state had shown another one."""
    shown = []
    for at, sessions in found.shown:
        other = {}
        for label, session in sessions.items():
            agents = tuple(a._replace(status=after) if a.status == before else a for a in session.agents)
            status = after if session.status == before else session.status
            other[label] = session._replace(status=status, agents=agents)
        shown.append(type(found.shown[0])(at, other))
    played = found.played
    return check(played.truth, shown, excuses(found.program, played.truth), played.end + 8.0)


@pytest.fixture(scope="module")
def asked() -> Judgement:
    return judge(prompted(Call("Bash", "npm test", 4.0, Ask(after=4.0)), Say(3.0)))


def test_a_right_light_passes(asked: Judgement) -> None:
    assert asked.findings.wrong == []
    assert asked.findings.moments > 10


@pytest.mark.parametrize(
    ("before", "after"), [(NEEDS_APPROVAL, WORKING), (WORKING, NEEDS_APPROVAL), (WAITING, WORKING), (WORKING, WAITING)]
)
def test_a_planted_wrong_light_is_found(asked: Judgement, before: str, after: str) -> None:
    assert {wrong.key[1] for wrong in altered(asked, before, after).wrong} == {"", "main"}


def test_a_session_that_is_never_shown_is_found(asked: Judgement) -> None:
    played = asked.played
    wrong = check(played.truth, asked.shown[:1], [], played.end + 8.0).wrong
    assert {one.kind for one in wrong} == {"absent for needs_approval"}


def test_a_row_of_nobody_is_found(asked: Judgement) -> None:
    at, sessions = asked.shown[-1]
    label, session = next(iter(sessions.items()))
    ghost = session._replace(agents=(*session.agents, session.agents[0]._replace(key="ghost")))
    shown = [*asked.shown, type(asked.shown[0])(at + 1.0, {label: ghost})]
    wrong = check(asked.played.truth, shown, [], asked.played.end + 8.0).wrong
    assert [one.kind for one in wrong] == ["nobody's row"]


REASONS = {
    "error: rate limit": prompted(Fail(0.5)),
    "interrupted": replace(prompted(Say(9.0)), deeds=(*prompted(Say(9.0)).deeds, Deed(4.0, "a", "escape"))),
    "1 shell running": prompted(Call("Bash", "sleep 30", 30.0, background=True)),
    "wakes 14:05": prompted(Call("CronCreate", "look", 0.1)),
}


def resting(found: Judgement, **other: object) -> list[str]:
    """The kinds of what is wrong if every resting agent had said something else."""
    shown = []
    for at, sessions in found.shown:
        changed = {
            label: one._replace(
                agents=tuple(a._replace(**other) if a.status == WAITING else a for a in one.agents)  # type: ignore[arg-type]
            )
            for label, one in sessions.items()
        }
        shown.append(type(found.shown[0])(at, changed))
    played = found.played
    wrong = check(played.truth, shown, excuses(found.program, played.truth), played.end + 8.0).wrong
    return [one.kind for one in wrong]


@pytest.mark.parametrize("words", REASONS)
def test_an_agent_that_does_not_say_why_it_rests_is_found(words: str) -> None:
    found = judge(REASONS[words])
    assert words in [agent.detail for _, sessions in found.shown for one in sessions.values() for agent in one.agents]
    assert resting(found) == []
    assert resting(found, detail="") == ["wrong reason to rest"]


def test_an_agent_that_gives_a_reason_to_rest_without_having_one_is_found(asked: Judgement) -> None:
    assert resting(asked, detail="interrupted") == ["wrong reason to rest"]


def test_an_agent_that_seems_to_rest_since_its_session_began_is_found(asked: Judgement) -> None:
    assert resting(asked, since=NOON + 0.1) == ["rests for longer than it does"]


def test_every_excuse_has_a_reason() -> None:
    assert UNKNOWABLE
    assert all(one.reason and one.states for one in UNKNOWABLE.values())


def test_an_escape_before_any_output_is_excused_only_without_the_registry() -> None:
    program = prompted(Say(5.0), registry=False)
    program = replace(program, deeds=(*program.deeds, Deed(1.06, "a", "escape")))
    found = judge(program)
    assert found.findings.wrong == []
    assert found.findings.excused["escape before any output, or while Stop hooks run"] > 0
    assert not judge(replace(program, registry=True)).findings.excused


def test_an_escape_before_any_output_is_excused_until_the_watcher_must_have_guessed_it() -> None:
    program = prompted(Say(5.0), registry=False)
    program = replace(program, deeds=(*program.deeds, Deed(1.06, "a", "escape")))
    with mutants()["MAIN_RULES without silent"].put_in():
        assert [wrong.kind for wrong in judge(program).findings.wrong] == ["wrong reason to rest"]


# --- shrinking and telling


def test_a_failing_program_becomes_a_story_of_a_few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here the truth is wrong on purpose: every agent that asks is said to work."""
    monkeypatch.setattr("simulator.agent.NEEDS_APPROVAL", WORKING)
    long = (Say(0.3), Call("Bash", "npm test", 1.0), Call("Edit", "a.py", 1.0, Ask(after=4.0)), Say(2.0))
    found = judge(prompted(*long))
    assert found.findings.wrong
    small = shrink(found, 60)
    assert {sign(wrong) for wrong in small.findings.wrong} & {sign(wrong) for wrong in found.findings.wrong}
    assert [type(move) for move in small.program.deeds[-1].script] == [Call]
    words = story(small, small.findings.wrong[0])
    assert "a: prompt (Edit `a.py`, asks: yes" in words
    assert "expected working, shown needs_approval" in words


def test_the_command_prints_a_table_and_says_whether_all_was_right(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asks = prompted(Call("Edit", "a.py", 1.0, Ask(after=4.0)))
    monkeypatch.setattr("simulator.__main__.generate", lambda seed: replace(asks, seed=seed))
    assert main(["--programs", "2", "--workers", "1"]) == 0
    right = capsys.readouterr().out
    assert "programs         2" in right
    assert "approval-asked" in right
    monkeypatch.setattr("simulator.agent.NEEDS_APPROVAL", WORKING)
    assert main(["--programs", "2", "--workers", "1", "--first-failure"]) == 1
    wrong = capsys.readouterr().out
    assert "needs_approval for working, never true" in wrong
    assert "Program(seed=1, deeds=(Deed(at=" in wrong


def test_a_watcher_that_falls_is_told_with_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    def falls(_: Program) -> Judgement:
        raise OSError("gone")

    monkeypatch.setattr("simulator.__main__.judge", falls)
    report = run([5])
    assert report.seeds == {"the watcher fell: OSError: gone": [5]}


def test_half_of_the_programs_make_two_actors_meet() -> None:
    assert sum(meets(generate(seed)) for seed in range(1, 41)) >= 20


def meets(program: Program) -> bool:
    """Whether two of them, one perhaps a person, do something within a tenth of a second."""
    hooks = [one for one in play(program, "/nowhere").seen if isinstance(one, Hook)]
    events = [(one.stamp[1] - BOOT, f"{one.env['CLAUDE_PID']} {one.payload.get('agent_id', '')}") for one in hooks]
    events += [(deed.at, "a person") for deed in program.deeds if deed.do not in ("start", "prompt")]
    return any(b[0] - a[0] < 0.1 and a[1] != b[1] for a, b in pairwise(sorted(events)))


def test_a_program_can_be_pasted() -> None:
    for seed in range(1, 20):
        assert pasted(pasteable(generate(seed))) == generate(seed)


# --- the programs


@pytest.mark.parametrize("path", sorted((REPLAY / "simulated").iterdir()), ids=lambda path: path.stem)
def test_every_program_that_once_went_wrong_is_right(path: Path) -> None:
    found = judge(pasted(path.read_text()))
    assert found.findings.moments > 5
    assert found.findings.wrong == [], story(found, found.findings.wrong[0])


@pytest.mark.parametrize("first", range(1, FIXED + 1, CHUNK))
def test_every_light_of_the_fixed_programs_is_right(first: int) -> None:
    for seed in range(first, first + CHUNK):
        found = judge(generate(seed))
        assert found.findings.wrong == [], f"seed {seed}\n" + story(found, found.findings.wrong[0])


@pytest.mark.parametrize("make", [first, generate], ids=["first", "with more"])
@pytest.mark.parametrize("seed", SEEDS)
def test_no_seed_fails_again(seed: str, make: Callable[[int], Program]) -> None:
    found = judge(make(int(seed)))
    assert found.findings.wrong == [], story(found, found.findings.wrong[0])


def test_what_is_added_to_a_program_changes_nothing_that_was_in_it() -> None:
    added = 0
    for seed in range(1, 41):
        before, after = first(seed), generate(seed)
        added += before != after
        assert not after.hooks or (before.own, before.faults) == (_as_first(after.own, before.own), after.faults)
        assert _deeds(before) <= _deeds(after)
    assert added > 20


def _as_first(own: Own, first: Own) -> Own:
    """Without what a Stop hook sends it back to in addition."""
    assert own.sent_back_to[len(own.sent_back_to) - len(first.sent_back_to) :] == first.sent_back_to
    return replace(own, sent_back_to=first.sent_back_to)


def _deeds(program: Program) -> Counter[tuple[float, str, str]]:
    return Counter((deed.at, deed.session, deed.do) for deed in program.deeds)
