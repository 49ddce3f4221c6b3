"""The page is measured until it is painted; how soon that is, is not asked here."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from bench import browser, web
from bench.budget import Budget
from bench.dose import QUICK
from bench.figure import Missing
from bench.place import Place
from bench.screen import Watched
from support.needs import need

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_paint_and_pixels_are_measured_in_turns_with_a_bare_page(tmp_path: Path) -> None:
    need(*browser.PROGRAMS)
    os.mkdir(tmp_path / "place")
    with (
        Watched(Place(str(tmp_path / "place")), 3) as where,
        web.bare() as other,
        web.served(where.environment()) as ours,
        browser.Browser() as chromium,
    ):
        found = [*web._paint(chromium, ours, other, 2), *web._pixel(chromium, ours, other, where, 2)]
    assert [one.key for one in found] == ["web.paint", "web.row", "web.pixel"]
    assert all(one.middle > 0 and one.ratio and one.ratio > 0 for one in found)
    assert found[0].middle <= found[1].middle, "the rows come after the first paint"


def test_a_late_one_is_a_goal_and_a_late_median_a_limit() -> None:
    within = web.budgets([100.0] * 9 + [900.0], 200.0)
    assert within == (Budget(100.0, 200.0, "ms"), Budget(900.0, 200.0, "ms at p95", hard=False))


def test_without_a_browser_it_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert list(web.figures(QUICK)) == [Missing("the page", "there is no chromium and no chromedriver")]
