"""Each screen is measured until it shows what has changed; how soon that is, is not asked here."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

import pytest

from bench import line, screen, tray, words
from bench.place import Place
from support.needs import need

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def where(tmp_path: Path) -> Place:
    return Place(str(tmp_path / "place"))


def test_the_screen_is_measured_until_it_shows_each_change_and_at_rest(where: Place) -> None:
    need("tmux")
    os.mkdir(where.path)
    with screen.Watched(where, 3) as watched, screen.Screen(watched) as top:
        taken = [screen.delay(watched, top, k) for k in range(2)]
        share, memory = screen.rest(watched, top, 0.2)
    assert all(one > 0 for one in taken)
    assert 0 <= share < 100
    assert memory > 1 << 20


def test_no_screen_that_is_measured_may_start_a_watcher(where: Place) -> None:
    os.mkdir(where.path)
    with screen.Watched(where, 1) as watched:
        assert watched.environment(TERM="xterm")["YOURTURN_NO_WATCHER"] == "1"


def test_a_change_that_is_not_drawn_stops_the_benchmark(where: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    need("tmux")
    os.mkdir(where.path)
    monkeypatch.setattr(screen, "PATIENCE_S", 0.3)
    with screen.Watched(where, 3) as watched, screen.Screen(watched) as top:
        monkeypatch.setattr(type(watched), "put", lambda _self, _one: None)
        with pytest.raises(AssertionError, match="stayed as it was"):
            screen.delay(watched, top, 1)


def test_each_first_drawing_of_the_tray_is_another_picture() -> None:
    pytest.importorskip("dbus_fast", reason="THE TRAY WAS NOT MEASURED: pip install dbus-fast (Linux only)")
    need("dbus-daemon")
    taken = asyncio.run(tray.first_drawings(4, 3))
    assert len(taken) == 3
    assert all(one > 0 for one in taken)


def test_a_late_drawing_misses_its_budget() -> None:
    kept, missed = (screen.late("x", "x", [5.0] * 9 + [last], 100.0) for last in (99.0, 101.0))
    assert (kept.missed, missed.missed) == (False, True)


def test_the_line_is_measured_until_it_says_each_change(where: Place) -> None:
    os.mkdir(where.path)
    with screen.Watched(where, 3) as watched:
        taken = line.delays(watched, 2)
    assert len(taken) == 2
    assert all(one > 0 for one in taken)


def test_how_much_faster_our_words_come_is_told() -> None:
    ours, theirs = words.told({words.STATUS: [50.0] * 3, words.AGENTS: [200.0] * 3})
    assert (ours.ratio, theirs.middle) == (0.25, 200.0)
    assert [str(budget) for budget in ours.budgets] == [">= 3 x faster: kept"]
