"""A request in `yourturn top`: what is drawn of it, and what each key does."""

from __future__ import annotations

from typing import Any

import pytest

from answers import word
from answers.request import KEEPER, QUESTION, Request
from contract.status import NEEDS_APPROVAL
from statusbar.model.board import board
from statusbar.top import request_page
from statusbar.top.screen import screen
from statusbar.top.state import Mode, Seen, View, press, settle
from support.showing import NOW, agent, session, statuses

THERE = statuses(session("a", NEEDS_APPROVAL, agents=(agent(), agent("x"))))
WHOLE = board(THERE, NOW)


def request(tool: str = "Bash", kind: str = "permission", whose: str = "main", **given: Any) -> Request:
    return Request(id="0" * 16, session="a", agent=whose, tool=tool, kind=kind, cwd="/p", input=given)


ONE = {"question": "Which?", "options": [{"label": "Red"}, {"label": "Green"}]}
BASH, ASKS = request(command="make test"), request("AskUserQuestion", QUESTION, questions=[ONE])


def seen(asked: Request, *, is_read: bool = True) -> Seen:
    return Seen(WHOLE.rows, 5, 10, asked=request_page.drawn(asked), is_read=is_read)


def after(*keys: str, asked: Request = BASH, is_read: bool = True) -> View:
    found = settle(View(), WHOLE.rows)
    for key in ("r", *keys):
        found = press(found, key, seen(asked, is_read=is_read))
    return found


def drawn(asked: Request, columns: int = 60, lines: int = 20, scroll: int = 0) -> tuple[list[str], Seen]:
    view, what = View(mode=Mode.REQUEST, selected=("a", ""), scroll=scroll), request_page.drawn(asked)
    found = screen(view, WHOLE, lambda room, _: request_page.lines(asked, THERE, room), columns, lines, what)
    return ["".join(piece.text for piece in line) for line in found.lines], found.seen


def test_the_whole_of_it_is_drawn_with_the_reason_of_the_light_and_the_keys() -> None:
    words, after_it = drawn(BASH)
    assert "make test" in words
    assert any(line.startswith("why: some rule (from hook)") for line in words)
    assert "a allow" in words[-1]
    assert "d deny" in words[-1]
    assert after_it.is_read


def test_a_long_one_is_read_only_at_its_end() -> None:
    long = request(command="\n".join(f"line {k}" for k in range(60)))
    assert not drawn(long)[1].is_read
    assert drawn(long, scroll=10**6)[1].is_read


@pytest.mark.parametrize(
    ("keys", "answer"),
    [
        ("a", (word.ALLOW, "")),
        ("d", (word.DENY, word.NO)),
        ("1", ("", "")),
        ("z", ("", "")),
    ],
)
def test_keys_answer(keys: str, answer: tuple[str, str]) -> None:
    assert after(*keys).answer == answer


def test_what_was_not_read_to_its_end_is_not_allowed() -> None:
    assert after("a", is_read=False).answer == ("", "")
    assert after("d", is_read=False).answer[0] == word.DENY


def test_what_cannot_be_seen_is_not_allowed() -> None:
    assert after("a", asked=request(command="a\u202eb")).answer == ("", "")


def test_a_number_answers_a_question() -> None:
    assert after("2", asked=ASKS).answer == (word.ANSWER, "Green")
    assert after("3", asked=ASKS).answer == ("", "")
    assert after("a", asked=ASKS).answer == ("", "")


def test_a_reason_is_typed_and_may_hold_any_letter() -> None:
    assert after("m", *"add q", "backspace", "x").reason == "add x"
    assert after("m", *"add", "enter").answer == (word.DENY, "add")
    assert after("m", "enter").answer == (word.DENY, word.NO)
    left = after("m", *"ad", "escape")
    assert (left.reason, left.answer, left.mode) == (None, ("", ""), Mode.REQUEST)


def test_enter_goes_to_its_terminal_and_q_goes_back() -> None:
    assert (after("enter").wish, after("enter").mode) == ("a", Mode.LIST)
    assert (after("q").mode, after("q").over) == (Mode.LIST, False)


def test_who_has_no_terminal_is_not_gone_to() -> None:
    hosted = request(command="ls")
    hosted.host = KEEPER
    assert after("enter", asked=hosted).wish == ""
    assert "terminal" not in " ".join(words for _, words in request_page.keys(request_page.drawn(hosted)))
    unseen = request(command="a\u202eb")
    unseen.host = KEEPER
    assert "it can only be denied" in " ".join(" ".join(drawn(unseen)[0]).split())


def test_the_row_of_an_agent_has_its_own_request_that_of_the_session_any() -> None:
    sub = request(whose="x", command="ls")
    rows = {row.agent: row for row in WHOLE.rows}
    assert request_page.of_row(rows["x"], [BASH, sub]) is sub
    assert request_page.of_row(rows[""], [BASH, sub]) is BASH
    assert request_page.of_row(rows["main"], [sub]) is None
