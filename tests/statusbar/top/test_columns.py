"""The columns of `yourturn top`: they depend on the screen alone."""

from __future__ import annotations

import pytest

from contract.status import NEEDS_APPROVAL, WAITING
from conversations.glimpse import Glimpse
from statusbar.model.board import board
from statusbar.text.width import width
from statusbar.top.columns import columns
from support.showing import HOSTILE, NOW, agent, hostile, session, statuses

DEEP = tuple(agent(f"a{k}", parent=f"a{k - 1}" if k else "main", type="x") for k in range(8))


@pytest.mark.parametrize("room", range(6, 240, 7))
def test_every_line_is_exactly_as_wide_as_there_is_room(room: int) -> None:
    told = {"a": Glimpse(title="漢字 " * 9, last_words="words " * 50)}
    some = [session("a", WAITING), session("b", NEEDS_APPROVAL, agents=(agent(), *DEEP), since=NOW)]
    whole = board(statuses(*some, *map(hostile, HOSTILE.values()), locked=False), NOW, told, fine=True)
    for row in whole.rows:
        assert sum(width(piece.text) for piece in columns(room).line(row)) == room


@pytest.mark.parametrize("room", [8, 20, 40, 70, 80, 100, 160])
def test_a_sign_is_in_sight_however_deep_its_agent(room: int) -> None:
    whole = board(statuses(session("b", agents=(agent(), *DEEP)), locked=False), NOW)
    for row in whole.rows:
        assert "●?" in "".join(piece.text for piece in columns(room).line(row))


def test_only_the_sign_is_coloured() -> None:
    (row,) = board(statuses(session("b", NEEDS_APPROVAL)), NOW).rows
    line = columns(100).line(row)
    assert [piece.text for piece in line if piece.style == "red"] == ["▲"]
    assert {piece.style for piece in line} == {"", "bold", "red"}


def test_on_eighty_columns_there_are_words_for_states_and_room_for_what_was_said() -> None:
    assert "".join(piece.text for piece in columns(80).heading()).split() == [
        "STATE",
        "PROJECT",
        "NAME",
        "DETAIL",
        "AGE",
    ]
