"""The programs: every light of them is right."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from simulator.generate import first, generate
from simulator.judgement import judge
from simulator.model import play
from simulator.observation import BOOT, Hook
from simulator.story import story
from support.doses import dosed
from support.project import PROJECT
from support.simulating import REPLAY, pasted

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from simulator.program import Own, Program

SEEDS = [line.split()[0] for line in (PROJECT / "simulator" / "seeds.txt").read_text().splitlines() if line.strip()]
FIXED, CHUNK, DOSE = 300, 5, 60
NEWEST_FIRST = SEEDS[::-1]


def test_half_of_the_programs_make_two_actors_meet() -> None:
    assert sum(meets(generate(seed)) for seed in range(1, 41)) >= 20


def meets(program: Program) -> bool:
    """Whether two of them, one perhaps a person, do something within a tenth of a second."""
    hooks = [one for one in play(program, "/nowhere").seen if isinstance(one, Hook)]
    events = [(one.stamp[1] - BOOT, f"{one.env['CLAUDE_PID']} {one.payload.get('agent_id', '')}") for one in hooks]
    events += [(deed.at, "a person") for deed in program.deeds if deed.do not in ("start", "prompt")]
    return any(b[0] - a[0] < 0.1 and a[1] != b[1] for a, b in pairwise(sorted(events)))


@pytest.mark.parametrize("path", sorted((REPLAY / "simulated").iterdir()), ids=lambda path: path.stem)
def test_every_program_that_once_went_wrong_is_right(path: Path) -> None:
    found = judge(pasted(path.read_text()))
    assert found.findings.moments > 5
    assert found.findings.wrong == [], story(found, found.findings.wrong[0])


@pytest.mark.parametrize("first", dosed(range(1, FIXED + 1, CHUNK), DOSE // CHUNK))
def test_every_light_of_the_fixed_programs_is_right(first: int) -> None:
    for seed in range(first, first + CHUNK):
        found = judge(generate(seed))
        assert found.findings.wrong == [], f"seed {seed}\n" + story(found, found.findings.wrong[0])


@pytest.mark.parametrize("make", dosed([generate, first], 1), ids=["with more", "first"])
@pytest.mark.parametrize("seed", dosed(NEWEST_FIRST, DOSE))
def test_no_seed_fails_again(seed: str, make: Callable[[int], Program]) -> None:
    found = judge(make(int(seed)))
    assert found.findings.wrong == [], story(found, found.findings.wrong[0])


def test_what_is_added_to_a_program_changes_nothing_that_was_in_it() -> None:
    added = 0
    for seed in range(1, 41):
        before, after = first(seed), generate(seed)
        added += before != after
        assert not after.hooks or before.own == _as_first(after.own, before.own)
        assert not after.hooks or before.faults == after.faults[: len(before.faults)]
        assert _deeds(before) <= _deeds(after)
    assert added > 20


def _as_first(own: Own, first: Own) -> Own:
    """Without what a Stop hook sends it back to in addition."""
    assert own.sent_back_to[len(own.sent_back_to) - len(first.sent_back_to) :] == first.sent_back_to
    return replace(own, sent_back_to=first.sent_back_to)


def _deeds(program: Program) -> Counter[tuple[float, str, str]]:
    return Counter((deed.at, deed.session, deed.do) for deed in program.deeds)
