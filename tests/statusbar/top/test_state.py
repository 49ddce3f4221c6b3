"""What keys do in `yourturn top`."""

from dataclasses import replace

import pytest

from contract.status import WAITING
from statusbar.model.board import Order, board
from statusbar.top.state import Mode, Seen, settle
from support.showing import NOW, session, statuses
from support.top_view import WHOLE, after


@pytest.mark.parametrize(
    ("keys", "index"),
    [("j", 1), ("jjk", 1), ("k", 0), ("G", 39), ("Gg", 0), ("Gj", 39), ("  ", 20), ("jz", 1)],
)
def test_letters_move_through_the_rows(keys: str, index: int) -> None:
    assert after(*keys).index == index


@pytest.mark.parametrize(("key", "index"), [("down", 1), ("page down", 10), ("end", 39), ("up", 0), ("home", 0)])
def test_arrows_move_too(key: str, index: int) -> None:
    assert after(key).index == index


def test_moving_where_there_is_nothing_stays_put() -> None:
    found = after("down", "G", "enter", "e", seen=Seen((), 0, 10))
    assert (found.mode, found.wish) == (Mode.LIST, "")


def test_the_selection_stays_on_its_row_and_on_its_place_when_the_row_is_gone() -> None:
    chosen = after("j", "j")
    moved = settle(chosen, tuple(reversed(WHOLE.rows)))
    assert (moved.selected, moved.index) == (chosen.selected, 37)
    without = tuple(row for row in WHOLE.rows if row.id != chosen.selected)
    assert settle(chosen, without).selected == WHOLE.rows[3].id
    assert settle(chosen, WHOLE.rows[:1]).selected == WHOLE.rows[0].id
    assert settle(chosen, ()).index == 0


def test_pages_open_and_close() -> None:
    assert after("e").mode is after("right").mode is Mode.EXPLAIN
    assert after("l").mode is Mode.LOG
    assert after("?").mode is Mode.HELP
    assert after("l", "?").mode is Mode.HELP
    for closing in ("q", "escape", "l"):
        assert after("l", closing) == after("l", "q")
        assert after("l", closing).mode is Mode.LIST
    assert not after("l", "q").over
    assert after("q").over


def test_a_page_scrolls_to_its_end_and_back() -> None:
    seen = Seen(WHOLE.rows, 25, 10)
    assert after("e", "j", seen=seen).scroll == 1
    assert after("e", "G", "k", seen=seen).scroll == 14
    assert after("e", "page down", "page down", "page down", "k", seen=seen).scroll == 14
    assert after("e", "k", seen=seen).scroll == 0
    assert after("l", "k", seen=seen).scroll == 14, "a log begins at its end"


def test_typing_a_filter_takes_letters_that_are_keys_elsewhere() -> None:
    assert after("/", *"quas?").words == "quas?"
    assert after("/", *"abc", "backspace", "enter", "j").words == "ab"
    assert after("/", *"abc", "enter", "j").index == 1
    assert after("/", *"abc", "escape") == replace(after(), words="", typing=False)
    assert after("/", *"abc", "enter", "escape").words == ""
    assert not after("/", "backspace").typing
    assert len(after("/", *"x" * 500).words) < 100


def test_sorting_goes_through_all_orders_and_all_shows_everything() -> None:
    assert [after(*"s" * k).order for k in range(5)] == [*Order, Order.URGENCY]
    assert after("a").everything
    assert not after("a", "a").everything


def test_opening_what_was_folded_unfolds_it() -> None:
    folded = board(statuses(session("old", WAITING, since=NOW - 10**6)), NOW)
    assert after("enter", seen=Seen(folded.rows, 1, 10)).everything
    assert after("e", seen=Seen(folded.rows, 1, 10)).mode is Mode.LIST


def test_opening_a_row_asks_for_its_terminal() -> None:
    assert after("j", "enter").wish == after("j", "o").wish == WHOLE.rows[1].session_id
    assert after("j").wish == ""
