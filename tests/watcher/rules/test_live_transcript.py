"""A transcript that tells of requests and answers at once, beside a registry that says busy while somebody is asked."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from contract.facts import Fact, Mark, Stamp
from contract.facts import Turn as HookTurn
from contract.status import NEEDS_APPROVAL, WAITING, WORKING
from watcher.rules.evidence import Evidence, RegistryReport
from watcher.rules.law import resolve
from watcher.rules.turn import Turn, fold
from watcher.rules.turn_events import Answered, Asked, Call, Interrupted, Prompt, Result

NOW = 1000.0
BUSY = RegistryReport("busy", "", 900.0, tells_dialogs=False)
IDLE = RegistryReport("idle", "", 995.0, tells_dialogs=False)
ASKED = (
    Prompt(900.0, machine=False),
    Call(980.0, "c1", "Bash", "npm test"),
    Asked(981.0, "r1", "c1", "Bash", "npm test"),
)
QUIZ = (Prompt(900.0, machine=False), Call(980.0, "c1", "AskUserQuestion"))


def stamp(at: float) -> Stamp:
    return Stamp((at, at))


def told(*events: Any) -> Turn:
    turn = Turn(is_live=True)
    for event in events:
        turn = fold(turn, event)
    return turn


def prompted(at: float = 900.0, **more: Any) -> Fact:
    turn = HookTurn(id="t", opened=stamp(at), prompted=stamp(at))
    return Fact(session="s", agent="main", turn=turn, last=Mark(at=stamp(at), word="x"), **more)


def light(turn: Turn | None, report: RegistryReport | None = BUSY, fact: Fact | None = None, **more: Any) -> Any:
    turns, facts = {"main": turn} if turn else {}, {"main": fact or prompted()}
    return resolve(Evidence(now=NOW, facts=facts, turns=turns, report=report, **more))["main"]


def test_a_registry_that_says_busy_closes_no_request() -> None:
    verdict = light(told(*ASKED))
    assert (verdict.status, verdict.detail, verdict.quote) == (NEEDS_APPROVAL, "Bash: npm test", "npm test")
    assert light(told(*QUIZ)).detail == "question"
    assert light(told(*ASKED), replace(BUSY, tells_dialogs=True)).status == WORKING


def test_a_registry_that_says_idle_later_does() -> None:
    assert light(told(*ASKED), IDLE).status == WAITING
    assert light(told(*ASKED), replace(IDLE, at=970.0)).status == NEEDS_APPROVAL


def test_an_answer_is_working_at_what_was_asked_for() -> None:
    verdict = light(told(*ASKED, Answered(990.0, "r1")))
    assert (verdict.status, verdict.detail) == (WORKING, "Bash: npm test")
    assert light(told(*ASKED, Answered(990.0, "r1"), Result(991.0, "c1", None))).detail == "thinking"
    assert light(told(*ASKED, Interrupted(990.0)), IDLE).status == WAITING


def test_a_hook_that_tells_of_the_prompt_late_answers_nothing() -> None:
    assert light(told(*ASKED), fact=prompted(982.0)).status == NEEDS_APPROVAL


def test_a_notification_counts_only_where_no_live_transcript_is() -> None:
    noted = prompted(notes={"permission_prompt": Mark(at=stamp(985.0))})
    open_turn = told(Prompt(900.0, machine=False))
    assert light(open_turn, fact=noted).status == WORKING
    assert light(None, fact=noted).status == NEEDS_APPROVAL
    assert light(None, replace(BUSY, tells_dialogs=True), noted).status == WORKING


def test_one_that_can_ask_nobody_never_needs_you() -> None:
    noted = prompted(notes={"permission_prompt": Mark(at=stamp(985.0))})
    assert light(told(*ASKED), None, headless=True).status == WORKING
    assert light(None, None, noted, headless=True).status == WORKING


def test_a_busy_that_may_hang_is_not_believed_after_an_interruption() -> None:
    hanging, asked = replace(BUSY, may_hang=True), told(*ASKED, Interrupted(990.0))
    assert (light(asked, hanging).status, light(asked, BUSY).status) == (WAITING, WORKING)
    assert light(told(*ASKED, Interrupted(990.0), Prompt(996.0, machine=False)), hanging).status == WORKING
    assert light(asked, replace(hanging, at=995.0)).status == WORKING
