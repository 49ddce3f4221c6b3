"""The picture in a terminal."""

import time

import pytest

from statusbar.day import bars
from statusbar.day.dates import Day
from statusbar.day.history import History
from statusbar.day.log_lines import About
from statusbar.day.names import Named, names
from statusbar.day.picture import Picture, picture
from statusbar.text.symbols import in_ascii
from statusbar.text.width import width
from support.days import BLOCKED, HOUR, NOON, SHOP, WAITS, WORKS, lapse, stand, start, told
from support.printed import words
from support.showing import HOSTILE


def day(found: History, name: str = "checkout", project: str = "shop") -> Picture:
    named = [Named(one.session, project, name, hidden=False) for one in found.courses]
    return picture(found, Day(NOON - 2 * HOUR, NOON + 2 * HOUR), named)


EXAMPLE = told(
    start(-120),
    stand(0, WORKS, about=SHOP),
    stand(10, BLOCKED),
    stand(20, WORKS),
    stand(30, WAITS),
    lapse(50, since=40),
    stand(50, BLOCKED),
    stand(50.5, WORKS),
    now=60,
)


def test_each_state_has_a_block_of_its_own_height() -> None:
    chart = words(bars.page(day(EXAMPLE), 59)).splitlines()
    assert chart[3] == "shop checkout ▄▄▄▄▄▄██████▄▄▄▄▄▄▁▁▁▁▁▁░░░░░░▆▄▄▄▄▄ ▲ 10 min"
    assert chart[4] == "not watched" + " " * 27 + "░" * 6
    assert chart[6] == "█ needs approval  ▆ for a part of the time  ▄ working"


def test_without_its_characters_it_is_readable_in_ascii() -> None:
    chart = in_ascii(words(bars.page(day(EXAMPLE), 59))).splitlines()
    assert chart[3] == "shop checkout ======######======______??????+===== ! 10 min"


@pytest.mark.parametrize("columns", [24, 40, 80])
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_no_line_is_wider_than_the_terminal(columns: int, text: str) -> None:
    found = told(start(-120), stand(0, BLOCKED, text, about=About(text, f"/home/me/{text}")), stand(9, WORKS, text))
    drawn = picture(found, Day(NOON - 2 * HOUR, NOON + 2 * HOUR), names(found.courses, ()))
    for line in words(bars.page(drawn, columns)).splitlines():
        assert width(line) <= columns
        assert line.isprintable()


def test_hours_stand_above_the_cells_in_which_they_begin() -> None:
    found = told(start(-120), stand(-100, WORKS, about=SHOP), stand(0, BLOCKED), now=60)
    chart = words(bars.page(day(found), 80)).splitlines()
    assert chart[3].index("█") == chart[2].index(time.strftime("%H", time.localtime(NOON)))
