"""A failing program becomes a short story that can be pasted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simulator.generate import generate
from simulator.judgement import judge
from simulator.program import Ask, Call, Say
from simulator.shrink import shrink, sign
from simulator.story import pasteable, story
from simulator.truth import WORKING
from support.simulating import pasted, prompted

if TYPE_CHECKING:
    import pytest


def test_a_failing_program_becomes_a_story_of_a_few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here the truth is wrong on purpose: every agent that asks is said to work."""
    monkeypatch.setattr("simulator.agent.NEEDS_APPROVAL", WORKING)
    long = (Say(0.3), Call("Bash", "npm test", 1.0), Call("Edit", "a.py", 1.0, Ask(after=4.0)), Say(2.0))
    found = judge(prompted(*long))
    assert found.findings.wrong
    small = shrink(found, 60)
    assert {sign(wrong) for wrong in small.findings.wrong} & {sign(wrong) for wrong in found.findings.wrong}
    assert [type(move) for move in small.program.deeds[-1].script] == [Call]
    words = story(small, small.findings.wrong[0])
    assert "a: prompt (Edit `a.py`, asks: yes" in words
    assert "expected working, shown needs_approval" in words


def test_a_program_can_be_pasted() -> None:
    for seed in range(1, 20):
        assert pasted(pasteable(generate(seed))) == generate(seed)
