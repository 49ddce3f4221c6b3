"""The figures of a benchmark: medians, ratios, growth, budgets, the one table, and the file they are kept in."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

import pytest

from bench import figure, growth, report, results, table
from bench.budget import Budget
from bench.dose import QUICK, WHOLE, Dose
from bench.figure import Figure, Missing
from bench.results import Results, UnreadableError

if TYPE_CHECKING:
    from pathlib import Path

ABOUT = {"date": "2026-01-02T03:04:05Z", "commit": "abc", "changed": True, "quick": False, "cores": 2, "load": 1.5}


# --- figures


def test_a_figure_has_the_median_the_p95_and_the_ratio_of_the_medians() -> None:
    made = figure.beside("hook.one", "hook", [22.0] * 19 + [90.0], "bare", [10.0, 11.0, 12.0])
    assert (made.middle, made.late, made.against, made.ratio) == (22.0, 90.0, "bare", 2.0)


def test_a_budget_is_kept_up_to_its_limit() -> None:
    assert Budget(2.2, 2.2).is_kept
    assert not Budget(2.21, 2.2).is_kept
    assert Budget(3.0, 3.0, at_least=True).is_kept
    assert not Budget(2.9, 3.0, at_least=True).is_kept


def test_a_missed_limit_counts_and_a_missed_goal_does_not() -> None:
    goal, limit = Budget(3, 2, hard=False), Budget(3, 2)
    assert not Figure("a", "a", 1.0, budgets=(goal,)).missed
    assert Figure("a", "a", 1.0, budgets=(goal, limit)).missed


# --- growth


@pytest.mark.parametrize("power", [0.0, 0.5, 1.0, 2.0, -0.3])
def test_the_exponent_of_a_power_is_found_again(power: float) -> None:
    found = growth.exponent({size: 3.0 * size**power for size in (1.0, 20.0, 200.0, 1000.0)})
    assert found == pytest.approx(power, abs=1e-9)


def test_the_exponent_is_that_of_the_least_squares_in_logarithms() -> None:
    """By hand: logarithms to the base e of sizes 0, 1, 2 and of values 0, 2, 1; the slope is 1 / 2."""
    found = growth.exponent({1.0: 1.0, math.e: math.e**2, math.e**2: math.e})
    assert found == pytest.approx(0.5)


def test_what_has_no_logarithm_is_left_out_and_one_point_alone_grows_in_no_way() -> None:
    assert growth.exponent({1.0: 0.0, 10.0: 5.0, 100.0: 50.0}) == pytest.approx(1.0)
    assert growth.exponent({1.0: 0.0, 10.0: 5.0}) is None
    assert growth.figures("k", "what", {1.0: 0.0}) == []


def test_a_growth_is_a_figure_that_names_its_sizes() -> None:
    (made,) = growth.figures("watcher.tick", "one change", {1.0: 2.0, 1000.0: 2.0})
    assert (made.key, made.what, made.unit) == ("watcher.tick.growth", "one change: growth from 1 to 1000", "exponent")
    assert made.middle == pytest.approx(0.0)


# --- doses


def test_a_quick_dose_is_a_tenth_without_the_largest_size_and_never_nothing() -> None:
    assert (WHOLE.rounds(100), QUICK.rounds(100), QUICK.rounds(3)) == (100, 10, 1)
    assert (WHOLE.seconds(30), QUICK.seconds(30), Dose(0.0).seconds(30)) == (30, 3, 0.2)
    assert (WHOLE.sizes((1, 2, 3)), QUICK.sizes((1, 2, 3))) == ((1, 2, 3), (1, 2))


# --- the table


def test_columns_of_words_begin_at_the_left_and_numbers_end_at_the_right() -> None:
    assert table.draw(("what", "ms"), [("a", "1.00"), ("longer", "12.0")], ("what",)) == [
        "what      ms",
        "a       1.00",
        "longer  12.0",
    ]


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.123, "0.12"), (9.5, "9.50"), (12.34, "12.3"), (123.4, "123"), (12345.0, "12,345"), (None, "")],
)
def test_a_number_has_three_digits_that_count(value: float | None, shown: str) -> None:
    assert table.number(value) == shown


def test_the_table_has_a_line_for_each_figure_and_says_what_was_not_measured() -> None:
    one = Figure("hook.one", "hook", 12.34, late=20.0, against="bare", ratio=1.25, budgets=(Budget(1.25, 1.3),))
    grows = Figure("x.growth", "x: growth", -0.004, "exponent")
    assert report.lines([one, grows], [Missing("node", "it is not installed")]) == [
        "what       median   p95  unit      against   ratio  budget",
        "hook         12.3  20.0  ms        bare     1.25 x  <= 1.3 x: kept",
        "x: growth   -0.00        exponent",
        "NOT MEASURED: node, because it is not installed",
    ]


def test_a_missed_budget_is_red_where_colours_are_wanted_and_says_so_anyway(monkeypatch: pytest.MonkeyPatch) -> None:
    late = Figure("a", "a", 3.0, budgets=(Budget(3, 2, hard=False),))
    assert report.lines([late])[1].endswith("goal <= 2 x: MISSED")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert report.lines([late])[1].startswith("\x1b[31m")
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in report.lines([late])[1]


# --- the file


def test_results_are_the_same_after_they_were_written_and_read(tmp_path: Path) -> None:
    one = Figure("hook.one", "hook", 12.5, late=20.0, against="bare", ratio=1.25, grain=0.5)
    whole = Results(ABOUT, [one], [Missing("node", "it is not installed")])
    results.save(str(tmp_path / "a.json"), whole)
    found = results.load(str(tmp_path / "a.json"))
    assert (found.figures, found.missing) == ([one], [Missing("node", "it is not installed")])
    assert found.about == {"v": 1, **ABOUT}


def test_results_say_when_where_and_of_what_they_are() -> None:
    told = results.about(0.0, quick=True)
    assert told["date"] == "1970-01-01T00:00:00Z"
    assert told.keys() >= {"commit", "changed", "system", "python", "cores", "memory_gb", "load", "quick"}
    assert all(told[name] for name in ("commit", "system", "python", "cores", "memory_gb"))
    assert results.title(told).startswith("a short dose, 1970-01-01T00:00:00Z, commit ")


def test_budgets_are_written_as_words(tmp_path: Path) -> None:
    one = Figure("a", "a", 3.0, budgets=(Budget(3, 2),))
    results.save(str(tmp_path / "a.json"), Results(ABOUT, [one]))
    assert json.loads((tmp_path / "a.json").read_text())["figures"][0]["budgets"] == ["<= 2 x: MISSED"]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"figures": [{}]}', '{"figures": [{"key": "a", "middle": "b"}]}'])
def test_what_holds_no_results_is_said_with_its_name(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(UnreadableError, match=r"a\.json holds no results"):
        results.load(str(tmp_path / "a.json"))
    with pytest.raises(UnreadableError, match=r"b\.json: No such file"):
        results.load(str(tmp_path / "b.json"))
