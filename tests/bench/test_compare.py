"""Two runs side by side: what is slower stands out, and what cannot be compared is said."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from bench import compare, results
from bench.__main__ import main
from bench.figure import Figure
from bench.results import Results

if TYPE_CHECKING:
    from pathlib import Path

MACHINE = {"system": "Linux x86_64", "python": "3.11.7", "cores": 2, "memory_gb": 24, "quick": False}


def run_of(*figures: Figure, **about: Any) -> Results:
    return Results({**MACHINE, **about}, figures)


def told(before: Results, after: Results, folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    files = [str(folder / name) for name in ("a.json", "b.json")]
    for file, whole in zip(files, (before, after), strict=True):
        results.save(file, whole)
    return main(["compare", *files]), capsys.readouterr().out


def hook(middle: float, **more: Any) -> Figure:
    return Figure("hook.one", "hook", middle, **more)


def test_a_hook_that_is_slower_by_more_than_a_fifth_fails_and_has_a_sign(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said = told(run_of(hook(10.0)), run_of(hook(12.1)), tmp_path, capsys)
    assert code == 1
    assert "!!  hook  10.0  12.1  ms     +21 %" in said
    assert "!! Slower by more than 20 %: hook." in said
    assert "\x1b" not in said


@pytest.mark.parametrize("after", [8.0, 10.0, 12.0])
def test_up_to_a_fifth_is_well(after: float, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, said = told(run_of(hook(10.0)), run_of(hook(after)), tmp_path, capsys)
    assert code == 0
    assert "!!" not in said
    assert "No figure of hook or watcher is slower by more than 20 %." in said


@pytest.mark.parametrize(
    ("key", "unit", "is_slower"),
    [
        ("hook.together.64", "ms", True),
        ("watcher.cpu.busy.20", "%", True),
        ("watcher.memory.20", "MB", True),
        ("beside.bare Python", "ms", False),
        ("screen.tray.50.menu", "ms", False),
        ("watcher.tick.growth", "exponent", False),
    ],
)
def test_hook_and_watcher_are_judged_and_nobody_else(key: str, unit: str, is_slower: bool) -> None:
    pair = compare.Pair(Figure(key, "x", 10.0, unit), Figure(key, "x", 20.0, unit))
    assert pair.is_slower is is_slower


def test_what_is_too_small_to_be_measured_is_no_news() -> None:
    before, after = (Figure("watcher.cpu", "x", value, "%", grain=0.05) for value in (0.10, 0.14))
    assert not compare.Pair(before, after).is_slower
    assert compare.Pair(before, after._replace(middle=0.16)).is_slower


def test_a_figure_that_was_nothing_has_no_ratio_but_can_become_slower() -> None:
    pair = compare.Pair(Figure("watcher.cpu", "x", 0.0, "%"), Figure("watcher.cpu", "x", 5.0, "%"))
    assert pair.change is None
    assert pair.beside is None
    assert pair.is_slower


def test_how_what_stood_beside_it_has_changed_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Both take one and a half times as long: it is the machine."""
    before, after = (run_of(hook(value, ratio=1.2, against="bare")) for value in (10.0, 15.0))
    _, said = told(before, after, tmp_path, capsys)
    assert "ms     +50 %      +50 %" in said


def test_slower_is_red_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    before, after = run_of(hook(10.0), Figure("x", "other", 1.0)), run_of(hook(20.0), Figure("x", "other", 9.0))
    drawn = compare.lines(before, after, compare.pairs(before, after))
    assert [line[:5] == "\x1b[31m" for line in drawn if " hook " in line] == [True]
    assert [line[:5] == "\x1b[31m" for line in drawn if " other " in line] == [False]


def test_other_machines_and_other_doses_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, said = told(run_of(hook(1.0)), run_of(hook(1.0), cores=8, quick=True), tmp_path, capsys)
    assert "Different machines: cores 2 and 8." in said
    assert "One of them is a short dose" in said
    _, said = told(run_of(hook(1.0)), run_of(hook(1.0)), tmp_path, capsys)
    assert "Different machines" not in said
    assert "short dose" not in said


def test_figures_that_only_one_of_them_has_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before, after = run_of(hook(1.0), Figure("x", "the tray", 1.0)), run_of(hook(1.0), Figure("y", "the screen", 1.0))
    code, said = told(before, after, tmp_path, capsys)
    assert code == 0
    assert "Only in A: the tray." in said
    assert "Only in B: the screen." in said


def test_a_comparison_of_nothing_is_no_success(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, said = told(run_of(hook(1.0)), run_of(), tmp_path, capsys)
    assert code == 1
    assert "They have no figure in common." in said


def test_a_file_that_is_not_there_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", str(tmp_path / "no.json"), str(tmp_path / "no.json")]) == 1
    assert "no.json: No such file" in capsys.readouterr().err


def test_a_comparison_needs_two_files(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["compare", "a.json"])
    assert left.value.code == 2
    assert "B.json" in capsys.readouterr().err
