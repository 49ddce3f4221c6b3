"""What `yourturn top` draws."""

from dataclasses import replace

import pytest

from contract.status import NEEDS_APPROVAL, STATES
from statusbar.cli.pieces import Piece
from statusbar.cli.status import page
from statusbar.model.board import Board, board, filtered
from statusbar.text.symbols import counted
from statusbar.text.width import width
from statusbar.top.screen import screen
from statusbar.top.state import Mode, View, press, settle
from support.showing import HOSTILE, NOW, hostile, session, statuses
from support.top_view import SEEN, WHOLE, after


def drawn(view: View, whole: Board = WHOLE, columns: int = 80, lines: int = 24, page: str = "") -> list[str]:
    text = [] if view.mode is Mode.LIST else [(Piece(line),) for line in page.splitlines()]
    found = screen(view, whole, lambda *_: text, columns, lines)
    return ["".join(piece.text for piece in line) for line in found.lines]


def test_the_screen_is_never_larger_than_the_terminal() -> None:
    whole = board(statuses(*(hostile(text) for text in HOSTILE.values()), session("a"), locked=False), NOW)
    for mode in Mode:
        view = settle(View(mode=mode, words="x" * 60, typing=True), whole.rows)
        for columns in (1, 5, 12, 20, 33, 60, 80, 200):
            for lines in (1, 2, 5, 6, 7, 24):
                found = drawn(view, whole, columns, lines, "word " * 99 + "\n" + "x" * 999)
                assert len(found) == lines
                if columns >= 12:
                    assert max(map(width, found)) <= columns


def test_the_selected_row_is_always_on_the_screen_and_the_view_moves_no_more_than_needed() -> None:
    view = View()
    for key in [*"j" * 39, *"k" * 39]:
        view = press(settle(view, WHOLE.rows), key, SEEN)
        found = screen(view, WHOLE, lambda *_: [], 80, 12)
        view = replace(view, first=found.seen.first)
        assert sum(piece.style == "selected" for line in found.lines for piece in line) == 1
        assert found.seen.first <= view.index < found.seen.first + found.seen.room
    assert (view.index, view.first) == (0, 0)
    back = screen(replace(settle(View(index=35), WHOLE.rows), first=31), WHOLE, lambda *_: [], 80, 12)
    assert back.seen.first == 31 == len(WHOLE.rows) - back.seen.room or back.seen.first <= 31


def test_the_first_line_sums_up_and_says_how_the_list_is_arranged() -> None:
    view = replace(after("a", "s"), words="npm")
    (first, *_) = drawn(view)
    assert first.startswith("yourturn  ▲ 1 needs you  ○ 39 waiting ")
    assert first.endswith("/npm (filtered)  all  by project")
    assert drawn(view, columns=30)[0].startswith("▲1 ○39  /npm")


def test_with_a_filter_the_sums_go_on_counting_everybody_and_the_first_line_says_that_some_are_left_out() -> None:
    for typing in (True, False):
        view = View(words="s3-name", typing=typing)
        (first, _, row, *rest) = drawn(view, filtered(WHOLE, view.words))
        assert "s3-name" in row
        assert not any("-name" in line for line in rest[:-1])
        assert first.startswith("yourturn  ▲ 1 needs you  ○ 39 waiting ")
        assert first.endswith("(filtered)")
    assert "(filtered)" not in drawn(View(typing=True))[0]


def test_what_stands_after_a_number_is_said_of_so_many() -> None:
    whole = board(statuses(*(session(f"s{k}", state) for k in range(2) for state in STATES)), NOW)
    assert drawn(View(), whole)[0].startswith("yourturn  ▲ 2 need you  ● 2 working  ○ 2 waiting")
    (sums,) = [text for line in page(whole, 80) if "▲ 2" in (text := "".join(piece.text for piece in line))]
    assert sums == "▲ 2 need you   ● 2 working   ○ 2 waiting"
    assert [counted(NEEDS_APPROVAL, k) for k in range(3)] == ["0 need you", "1 needs you", "2 need you"]


@pytest.mark.parametrize("columns", [20, 30, 40, 60])
def test_the_way_out_and_help_stay_on_a_narrow_screen(columns: int) -> None:
    last = drawn(View(), columns=columns, lines=10)[-1]
    assert last.rstrip().endswith("? help  q quit")
    assert ("↑↓ move" in last) == (columns >= 30)
    assert drawn(View(), columns=12, lines=10)[-1].rstrip() == "q quit"
    assert drawn(View(mode=Mode.HELP), columns=12, lines=10)[-1].rstrip() == "q back"


def test_a_line_that_is_folded_keeps_its_columns() -> None:
    found = drawn(View(mode=Mode.LOG), columns=30, page="  01 Jan  a1 main  went  far [some-rule]")
    assert [line for line in found[1:-1] if line] == ["  01 Jan  a1 main  went  far", "  [some-rule]"]


def test_a_demo_says_that_it_is_one_and_how_to_leave() -> None:
    for columns in (30, 40, 80):
        found = drawn(View(is_demo=True), columns=columns)
        assert "demo" in found[0]
        assert "Demo: not your agents. Press q to quit." in " ".join(found).replace("  ", " ")
    assert "yourturn demo" in drawn(View(is_demo=True, mode=Mode.HELP))[0]
    assert "demo" not in drawn(View())[0]


def test_an_empty_board_is_calm_and_a_filter_without_a_match_says_so() -> None:
    assert "No agent is running." in drawn(View(), board(statuses(), NOW))
    assert "No matches. Press Esc to show all." in drawn(View(words="zz"), filtered(WHOLE, "zz"))


def test_a_dead_watcher_is_on_the_screen() -> None:
    dead = board(statuses(session("a"), locked=False), NOW)
    assert any("yourturn up" in line for line in drawn(View(), dead))
