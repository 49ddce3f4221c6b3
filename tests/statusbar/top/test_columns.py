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


@pytest.mark.parametrize("room", range(6, 240, 7))
def test_where_there_are_several_kinds_of_client_lines_are_as_wide(room: int) -> None:
    some = [session("a", client="claude"), session("b", client="a-client-with-a-long-name")]
    for row in board(statuses(*some), NOW).rows:
        line = columns(room, is_mixed=True).line(row)
        assert sum(width(piece.text) for piece in line) == room


def test_the_client_stands_before_the_detail_where_there_is_room_for_the_project() -> None:
    found = {
        room: "".join(p.text for p in columns(room, is_mixed=True).heading()).split() for room in (40, 70, 80, 110)
    }
    assert found[110] == ["STATE", "PROJECT", "NAME", "CLIENT", "DETAIL", "AGE"]
    assert found[80] == ["STATE", "PROJECT", "NAME", "DETAIL", "AGE"], "and the beginning of the client's name"
    assert found[70] == ["PROJECT", "NAME", "DETAIL", "AGE"]
    assert found[40] == ["NAME", "DETAIL", "AGE"]


@pytest.mark.parametrize(("room", "sign"), [(70, "cod"), (80, "cod"), (110, "codex")])
def test_on_a_narrow_screen_a_client_is_known_by_the_beginning_of_its_name(room: int, sign: str) -> None:
    whole = board(statuses(session("a", client="claude"), session("b", client="codex")), NOW)
    line = "".join(piece.text for piece in columns(room, is_mixed=True).line(whole.rows[1]))
    assert sign in line.split()
