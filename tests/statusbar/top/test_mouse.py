"""The mouse in `yourturn top`: as a value, and in a real terminal."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from contract.status import WAITING
from statusbar.model.board import board
from statusbar.top.screen import screen
from statusbar.top.state import Mode, Pointed, Seen, View, point, settle
from support.showing import NOW, STATUSBAR, put, session, statuses, terminal, watcher
from support.top_view import WHOLE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SEEN = Seen(WHOLE.rows, 40, 10, 5, 2)  # the sixth row is on line 2 of the screen
CLICK, RELEASED, WHEEL_UP, WHEEL_DOWN = 0, 3, 64, 65


def clicked(*moments: tuple[int, float], view: View | None = None, seen: Seen = SEEN) -> View:
    found = view or settle(View(), seen.rows)
    for line, at in moments:
        found = point(found, Pointed("click", line, at), seen)
    return found


def test_a_click_selects_the_row_below_it() -> None:
    assert clicked((2, 1.0)).index == 5
    assert clicked((11, 1.0)).selected == WHOLE.rows[14].id


@pytest.mark.parametrize("line", [0, 1, 12, 99])
def test_a_click_beside_the_rows_changes_nothing_that_is_seen(line: int) -> None:
    before = settle(View(), WHOLE.rows)
    assert replace(clicked((line, 1.0)), clicked=before.clicked) == before


def test_a_double_click_opens_and_two_slow_ones_do_not() -> None:
    assert clicked((3, 1.0), (3, 1.3)).wish == WHOLE.rows[6].session_id
    assert clicked((3, 1.0), (3, 9.0)).wish == ""
    assert clicked((3, 1.0), (4, 1.1)).wish == ""
    assert clicked((3, 1.0), (0, 1.1), (3, 1.2)).wish == ""


def test_a_third_click_does_not_open_again() -> None:
    opened = replace(clicked((3, 1.0), (3, 1.2)), wish="")
    assert clicked((3, 1.3), view=opened).wish == ""


def test_a_double_click_on_the_folded_row_unfolds_it() -> None:
    rows = board(statuses(session("old", WAITING, since=NOW - 99 * 3600)), NOW).rows
    assert clicked((1, 1.0), (1, 1.1), seen=Seen(rows, 1, 9, 0, 1)).everything


def test_the_wheel_scrolls_and_the_selection_stays_on_the_screen() -> None:
    view = settle(View(index=5), WHOLE.rows)
    down = point(view, Pointed("wheel down"), SEEN)
    assert (down.first, down.index) == (8, 8)
    up = point(view, Pointed("wheel up"), SEEN)
    assert (up.first, up.index) == (2, 5)
    far = view
    for _ in range(50):
        far = point(far, Pointed("wheel down"), SEEN._replace(first=far.first))
    assert far.first == 30
    drawn = screen(down, WHOLE, lambda *_: [], 80, 12 + 1)
    assert drawn.seen.first == 8, "the screen follows"


def test_the_wheel_scrolls_a_page_too() -> None:
    page = View(mode=Mode.HELP)
    assert point(page, Pointed("wheel down"), Seen((), 40, 10)).scroll == 3
    assert point(page, Pointed("click", 3), Seen(WHOLE.rows, 40, 10)).selected == page.selected


def test_where_there_is_nothing_the_mouse_does_nothing() -> None:
    for what in ("click", "wheel up", "wheel down"):
        found = point(View(), Pointed(what, 1, 1.0), Seen((), 0, 10, 0, 1))
        assert (found.wish, found.index, found.first) == ("", 0, 0)


def in_numbers(button: int, line: int) -> str:
    """Pressed and released."""
    return f"\x1b[<{button};5;{line + 1}M" + f"\x1b[<{button};5;{line + 1}m" * (button == CLICK)


def in_letters(button: int, line: int) -> str:
    """Pressed, and of a button that none is pressed any more."""
    return "".join(
        "\x1b[M" + "".join(chr(32 + number) for number in (what, 5, line + 1))
        for what in ([button, RELEASED] if button == CLICK else [button])
    )


@pytest.mark.parametrize(("term", "mouse"), [("xterm-256color", in_numbers), ("screen-256color", in_letters)])
def test_in_a_real_terminal_it_selects_scrolls_and_goes(
    term: str, mouse: Callable[[int, int], str], tmp_path: Path
) -> None:
    """As each kind of terminal tells of its mouse."""
    home = tmp_path / "state"
    put(home, *(session(f"s{k:02}", name=f"row{k:02}") for k in range(60)))
    with watcher(home), terminal(home, tmp_path) as one:
        one.start(*STATUSBAR, "top", size="120x20", TERM=term)
        one.until("row00", "q quit")
        one.keys("-l", mouse(CLICK, 4))
        one.until("│ row02")
        one.keys("-l", mouse(WHEEL_DOWN, 4))
        one.until("row18", gone="row00")
        one.keys("-l", mouse(WHEEL_UP, 4))
        one.until("row00")
        one.keys("-l", mouse(CLICK, 6) * 2)
        one.until("│ row04", "Could not go to row04")
        one.keys("m")
        one.until("mouse off")
        assert one.tmux("display", "-p", "#{mouse_any_flag}#{mouse_standard_flag}").strip() == "00"
        one.keys("m")
        one.until("q quit", gone="mouse off")
        one.keys("q")
        one.until("left with 0")
        assert one.tmux("display", "-p", "#{mouse_any_flag}#{mouse_standard_flag}").strip() == "00"
