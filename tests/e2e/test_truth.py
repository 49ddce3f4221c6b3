"""The proof itself: a status that is not the truth, comes too late, or flickers, does not pass."""

from __future__ import annotations

import json
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from contract import paths, status, store
from contract.status import AgentStatus, SessionStatus
from e2e.harness import watchers as proof
from e2e.harness.delays import Delay, lines
from e2e.harness.home import Home
from e2e.harness.onlooker import Onlooker
from e2e.harness.patience import PATIENCE_S, until
from e2e.harness.stalls import Stalls
from e2e.harness.truth import ONLY, Truth, agrees, mate, needs_approval, sub, waiting, working
from e2e.harness.watched import ALL, Watched

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from e2e.harness.api import Api

MAIN = AgentStatus("main", "agent", None, None, "working", "thinking", 0.0, "rule", "hook", "running")
SUB = MAIN._replace(key="a1", kind="sub_agent", type="general-purpose", parent="main")
SESSION = SessionStatus("s", "name", "/", 1, "working", "thinking", 0.0, "rule", "hook", agents=(MAIN,))


class Stage:
    """A watcher that says what the test wants, under the eyes of the proof."""

    def __init__(self, api: Api, folder: str, watcher: subprocess.Popen[bytes]) -> None:
        self.watched = Watched(api, "", Home(folder))
        self.state = self.watched.states[ALL]
        self.onlooker = Onlooker(self.state, lambda: watcher)
        self.watched._onlookers = {ALL: self.onlooker}
        store.private_folder(paths.status_dir(self.state))

    def say(self, *statuses: str) -> None:
        """One after the other, each until it was seen."""
        for one in statuses:
            said = SESSION._replace(status=one, agents=(MAIN._replace(status=one),))
            number = len(self.onlooker.samples)
            store.replace(paths.status(self.state, SESSION.session_id), status.encode(said))
            until(lambda number=number: len(self.onlooker.samples) > number)  # type: ignore[misc]


@pytest.fixture
def stage(api: Api, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    monkeypatch.setattr(proof, "note", lambda _delay: None)
    monkeypatch.setattr(proof, "LIMIT_S", PATIENCE_S)
    monkeypatch.setattr(Stalls, "between", lambda *_: 0.0)
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as watcher:
        stage = Stage(api, str(tmp_path), watcher)
        with stage.onlooker:
            until(lambda: stage.onlooker.samples)
            yield stage


def told(*agents: AgentStatus, **more: object) -> dict[str, object]:
    session: dict[str, object] = json.loads(status.encode(SESSION._replace(agents=agents)))
    return {**session, **more}


def test_a_session_agrees_with_exactly_its_agents() -> None:
    assert agrees({ONLY: (working("thinking"), sub(working()))}, [told(MAIN, SUB)])
    assert not agrees({ONLY: (working("thinking"),)}, [told(MAIN, SUB)])
    assert not agrees({ONLY: (working("thinking"), sub(working()))}, [told(MAIN)])
    assert not agrees({ONLY: (working("Bash: ls"), sub(working()))}, [told(MAIN, SUB)])


def test_an_agent_that_is_over_is_not_missed() -> None:
    assert agrees({ONLY: (working(),)}, [told(MAIN, SUB._replace(status="waiting", state="joined"))])


def test_a_session_must_show_its_most_urgent_agent() -> None:
    asks = SUB._replace(status="needs_approval", detail="Bash: ls")
    truth: Truth = {ONLY: (working(), sub(needs_approval("Bash: ls")))}
    assert agrees(truth, [told(MAIN, asks, status="needs_approval", detail="Bash: ls")])
    assert not agrees(truth, [told(MAIN, asks)])
    assert not agrees(truth, [told(MAIN, asks, status="needs_approval", detail="thinking")])


def test_a_teammate_is_no_sub_agent() -> None:
    assert agrees({ONLY: (working(), mate(working()))}, [told(MAIN, SUB._replace(kind="teammate"))])
    assert not agrees({ONLY: (working(), mate(working()))}, [told(MAIN, SUB)])


def test_sessions_are_told_apart_by_their_ids() -> None:
    assert agrees({"s": (working(),)}, [told(MAIN)])
    assert not agrees({"other": (working(),)}, [told(MAIN)])
    assert not agrees({}, [told(MAIN)])


def test_one_step_from_the_old_truth_to_the_new_one_passes(stage: Stage) -> None:
    stage.watched.moments.sees()
    stage.say("waiting")
    stage.watched.passes("start", waiting())
    stage.say("working")
    stage.watched.passes("prompt", working())
    stage.watched.holds()


@pytest.mark.parametrize("on_the_way", [["needs_approval"], ["working", "waiting"], ["working", "needs_approval"]])
def test_a_flicker_on_the_way_does_not_pass(stage: Stage, on_the_way: list[str]) -> None:
    stage.watched.moments.sees()
    stage.say("waiting")
    stage.watched.passes("start", waiting())
    stage.say(*on_the_way, "working")
    with pytest.raises(AssertionError, match="flickered"):
        stage.watched._change("prompt", {ONLY: (working(),)}, None, Onlooker.agrees_since)


def test_a_flicker_afterwards_does_not_pass(stage: Stage) -> None:
    stage.watched.moments.sees()
    stage.say("waiting")
    stage.watched.passes("start", waiting())
    stage.say("working", "waiting")
    with pytest.raises(AssertionError, match="flickered"):
        stage.watched.holds()


def test_a_verdict_before_the_key_does_not_pass(stage: Stage) -> None:
    stage.watched.moments.sees()
    stage.say("waiting")
    stage.watched.passes("start", waiting())
    stage.watched.holds()
    stage.say("working")
    with pytest.raises(AssertionError, match="flickered"):
        stage.watched.moments.acts()


def test_a_verdict_that_comes_too_late_does_not_pass(stage: Stage) -> None:
    stage.watched.moments.last = time.time() - 2 * PATIENCE_S
    stage.say("waiting")
    with pytest.raises(AssertionError, match="too late"):
        stage.watched.passes("start", waiting())


def test_a_verdict_that_never_comes_does_not_pass_however_busy_the_machine_is(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proof, "LIMIT_S", 0.1)
    monkeypatch.setattr(proof, "PATIENCE_S", 0.2)
    monkeypatch.setattr(Stalls, "between", lambda _self, begin, end: end - begin)
    stage.watched.moments.sees()
    with pytest.raises(AssertionError, match="did not come"):
        stage.watched.passes("start", waiting())


def test_time_in_which_programs_waited_for_a_processor_does_not_count(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Stalls, "between", lambda _self, begin, end: end - begin)
    stage.watched.moments.last = time.time() - 2 * PATIENCE_S
    stage.say("waiting")
    stage.watched.passes("start", waiting())


def test_stalls_are_told_from_one_moment_to_another(tmp_path: Path) -> None:
    stalls = Stalls(str(tmp_path / "cpu"))
    stalls.look(0.0)
    assert stalls.between(0.0, 9.0) == 0.0, "a kernel that says nothing"
    for at, total in ((1.0, 500_000), (2.0, 700_000), (3.0, 700_000), (4.0, 1_500_000)):
        line = f"some avg10=1.00 avg60=2.00 avg300=3.00 total={total}\n"
        (tmp_path / "cpu").write_text(f"{line}full avg10=0.00 avg60=0.00 avg300=0.00 total=7\n")
        stalls.look(at)
    assert stalls.between(2.0, 3.0) == 0.0
    assert stalls.between(2.5, 4.0) == pytest.approx(0.8)
    assert stalls.between(1.0, 9.0) == pytest.approx(1.0)
    assert stalls.between(-5.0, 2.0) == pytest.approx(0.2), "what was before the first look is not known"


def test_the_report_tells_the_median_and_the_worst_of_each_kind() -> None:
    found = list(lines([Delay("asks", ALL, 0.1, "a"), Delay("asks", ALL, 0.3, "b"), Delay("asks", ALL, 0.2, "c")]))
    assert [line.split() for line in found] == [
        f"{kind} {ALL} 3 times, median 0.200, worst 0.300 in b".split() for kind in ("asks", "(all)")
    ]
