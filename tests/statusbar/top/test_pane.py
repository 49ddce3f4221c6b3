"""The selected agent in full, beside the list."""

from __future__ import annotations

from typing import Any

import pytest

from contract.status import NEEDS_APPROVAL, WAITING
from conversations.glimpse import Glimpse
from statusbar.model.board import board
from statusbar.text.width import width
from statusbar.top import pane
from statusbar.top.pane import Subject
from statusbar.top.screen import screen
from statusbar.top.state import View, settle
from support.showing import HOSTILE, NOW, agent, hostile, session, statuses

TOLD = Glimpse("Fix the login", "All done.", "", "claude-opus-5-5", 65_400, 1_000_000, "main", "hotfix")
WAITS = session("a", WAITING, rule="turn-over", team="crew", cwd="/home/me/shop", agents=(agent("main", WAITING),))


def words(glimpse: Glimpse | None = TOLD, columns: int = 60, height: int = 40, at: int = 0, **more: Any) -> list[str]:
    one = more.pop("session", WAITS)
    row = board(statuses(one), NOW, {one.session_id: glimpse} if glimpse else {}).rows[at]
    found = pane.lines(Subject(row, one, glimpse, **more), columns, height)
    return ["".join(piece.text for piece in line).rstrip() for line in found]


def test_it_tells_all_that_is_known_of_an_agent() -> None:
    assert words(spent="1.2 M tokens, $3.40") == [
        "Fix the login",
        "○ waiting for 1 m",
        "",
        "team     crew",
        "folder   /home/me/shop",
        "branch   main (worktree hotfix)",
        "model    claude-opus-5-5",
        "context  65.4 k of 1 M tokens, 7 %",
        "today    1.2 M tokens, $3.40",
        "why      turn-over (from hook)",
        "",
        "said",
        "“All done.”",
    ]


def test_what_is_not_known_is_left_out() -> None:
    assert words(None, session=WAITS._replace(team=None)) == [
        "a-name", "○ waiting for 1 m", "", "folder   /home/me/shop", "why      turn-over (from hook)",
    ]  # fmt: skip
    assert "context  7 tokens" in words(Glimpse(context_tokens=7))


def test_a_question_stands_there_in_full() -> None:
    long = "Which of the formats should the guide use for its examples, and why that one?"
    asks = session("a", NEEDS_APPROVAL, detail="question")
    found = words(Glimpse(question=long), 40, session=asks)
    assert "needs you" in found[1]
    at = found.index("detail")
    assert " ".join(found[at + 1 :]) == f"“{long}”"


def test_what_the_main_agent_said_is_not_said_by_a_sub_agent() -> None:
    sub = agent("x", parent="main", type="Explore", rule="at-work")
    family = WAITS._replace(agents=(agent("main", WAITING), sub))
    assert "“All done.”" in words(session=family, at=1)
    found = words(session=family, at=2)
    assert found[0] == "Explore"
    assert "“All done.”" not in found
    assert "why      at-work (from hook)" in found


@pytest.mark.parametrize(
    ("number", "said"), [(0, "0"), (950, "950"), (1000, "1 k"), (65_432, "65.4 k"), (10**6, "1 M")]
)
def test_numbers_of_tokens_are_short(number: int, said: str) -> None:
    assert pane.short(number) == said


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_texts_stay_in_the_pane(text: str) -> None:
    one = hostile(text)
    told = Glimpse(text, text, text, text, 5, None, text, text)
    whole = board(statuses(one), NOW, {one.session_id: told})
    for row in whole.rows:
        for line in pane.lines(Subject(row, one, told), 40, 12):
            shown = "".join(piece.text for piece in line)
            assert shown.isprintable()
            assert width(shown) <= 40
        assert len(pane.lines(Subject(row, one, told), 40, 12)) <= 12


def test_only_a_wide_screen_has_a_pane() -> None:
    assert [pane.room(columns) for columns in (80, 109, 110, 160, 400)] == [0, 0, 39, 57, 64]
    whole = board(statuses(WAITS), NOW, {"a": TOLD})
    view = settle(View(), whole.rows)
    beside = pane.lines(Subject(whole.rows[0], WAITS, TOLD), 39, 20)
    for columns, is_there in ((109, False), (110, True)):
        drawn = screen(view, whole, lambda *_: beside, columns, 24)
        lines = ["".join(piece.text for piece in line) for line in drawn.lines]
        assert all(width(line) <= columns for line in lines)
        assert ("claude-opus-5-5" in "\n".join(lines)) == is_there
        assert sum("│" in line for line in lines) == (22 if is_there else 0)
