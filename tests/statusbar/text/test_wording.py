"""The words of status files as a person reads them."""

import pytest

from contract.status import NEEDS_APPROVAL, WAITING
from statusbar.cli.explain import session_lines
from statusbar.cli.log import worded
from statusbar.model.board import board
from statusbar.text import wording
from support.showing import NOW, agent, session, statuses


@pytest.mark.parametrize(
    ("detail", "word", "shown"),
    [
        ("question", "needs you", "a question"),
        ("tester: question", "needs you", "tester: a question"),
        ("dialog", "needs you", "a dialog"),
        ("plan", "needs approval", "a plan"),
        ("Bash: npm test", "needs approval", "Bash: npm test"),
    ],
)
def test_a_request_shows_its_kind_and_whether_it_needs_an_answer_or_an_approval(
    detail: str, word: str, shown: str
) -> None:
    (row,) = board(statuses(session("a", NEEDS_APPROVAL, detail=detail)), NOW).rows
    assert (row.look.word, row.detail) == (word, shown)


def test_a_question_that_is_out_of_date_needed_the_person() -> None:
    (row,) = board(statuses(session("a", NEEDS_APPROVAL, detail="question"), locked=False), NOW).rows
    assert row.look.word == "needed you"


def test_an_agents_own_text_is_never_taken_for_a_kind_of_request() -> None:
    asks = session("a", NEEDS_APPROVAL, detail="Bash: question", quote="question")
    assert (wording.detail(asks, 80), wording.is_question(asks)) == ("Bash: “question”", False)


def test_what_waits_is_not_a_request() -> None:
    waits = session("a", WAITING, detail="plan")
    assert (wording.detail(waits, 80), wording.is_question(waits)) == ("plan", False)


def test_an_agent_is_paused_or_finished_on_every_screen() -> None:
    told = session("a", agents=(agent(state="suspended", reason="user"), agent("b", state="joined", kind="sub_agent")))
    explained = "\n".join("".join(piece.text for piece in line) for line in session_lines(told, NOW))
    assert "agent, paused" in explained
    assert "sub-agent, finished" in explained
    logged = worded({"kind": "agent_process_changed", "from": "suspended", "to": "joined"})
    assert "agent: paused → finished" in logged
    suspended = worded({"kind": "suspended", "reason": "sub_agent_join", "waits_for": ["b"]})
    assert "paused, waits for its agents: b" in suspended


def test_one_that_asks_where_nobody_can_see_it_says_so() -> None:
    asks = session("a", NEEDS_APPROVAL, detail="Bash: touch made", unseen=True)
    (row,) = board(statuses(asks), NOW).rows
    assert row.detail == "asks, no terminal open: Bash: touch made"
    (row,) = board(statuses(session("a", WAITING, detail="interrupted", unseen=True)), NOW).rows
    assert row.detail == "interrupted"
    assert len(wording.detail(asks, 30)) <= 30
