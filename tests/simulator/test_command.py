"""`python -m simulator` and the report that it prints."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from simulator.__main__ import main, run
from simulator.program import Ask, Call, Program
from simulator.truth import WORKING
from support.simulating import prompted

if TYPE_CHECKING:
    import pytest

    from simulator.judgement import Judgement


def test_the_command_prints_a_table_and_says_whether_all_was_right(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asks = prompted(Call("Edit", "a.py", 1.0, Ask(after=4.0)))
    monkeypatch.setattr("simulator.__main__.program", lambda seed, _: replace(asks, seed=seed))
    assert main(["--programs", "2", "--workers", "1"]) == 0
    right = capsys.readouterr().out
    assert "programs         2" in right
    assert "approval-asked" in right
    monkeypatch.setattr("simulator.agent.NEEDS_APPROVAL", WORKING)
    assert main(["--programs", "2", "--workers", "1", "--first-failure"]) == 1
    wrong = capsys.readouterr().out
    assert "needs_approval for working, never true" in wrong
    assert "Program(seed=1, deeds=(Deed(at=" in wrong


def test_a_watcher_that_falls_is_told_with_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    def falls(_: Program) -> Judgement:
        raise OSError("gone")

    monkeypatch.setattr("simulator.__main__.judge", falls)
    report = run([5])
    assert report.seeds == {"the watcher fell: OSError: gone": [5]}
