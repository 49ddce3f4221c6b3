"""The checker finds what is wrong, and excuses only what nobody can know."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from simulator.checker import check
from simulator.judgement import judge
from simulator.mutants import mutants
from simulator.observation import NOON
from simulator.program import Ask, Call, Deed, Fail, Say
from simulator.truth import NEEDS_APPROVAL, WAITING, WORKING
from simulator.unknowable import UNKNOWABLE, excuses
from support.simulating import prompted

if TYPE_CHECKING:
    from simulator.checker import Findings
    from simulator.judgement import Judgement


def altered(found: Judgement, before: str, after: str) -> Findings:
    """The verdict if every light of one state had shown another one."""
    shown = []
    for at, sessions in found.shown:
        other = {}
        for label, session in sessions.items():
            agents = tuple(a._replace(status=after) if a.status == before else a for a in session.agents)
            status = after if session.status == before else session.status
            other[label] = session._replace(status=status, agents=agents)
        shown.append(type(found.shown[0])(at, other))
    played = found.played
    return check(played.truth, shown, excuses(found.program, played.truth), played.end + 8.0)


@pytest.fixture(scope="module")
def asked() -> Judgement:
    return judge(prompted(Call("Bash", "npm test", 4.0, Ask(after=4.0)), Say(3.0)))


def test_a_right_light_passes(asked: Judgement) -> None:
    assert asked.findings.wrong == []
    assert asked.findings.moments > 10


@pytest.mark.parametrize(
    ("before", "after"), [(NEEDS_APPROVAL, WORKING), (WORKING, NEEDS_APPROVAL), (WAITING, WORKING), (WORKING, WAITING)]
)
def test_a_planted_wrong_light_is_found(asked: Judgement, before: str, after: str) -> None:
    assert {wrong.key[1] for wrong in altered(asked, before, after).wrong} == {"", "main"}


def test_a_session_that_is_never_shown_is_found(asked: Judgement) -> None:
    played = asked.played
    wrong = check(played.truth, asked.shown[:1], [], played.end + 8.0).wrong
    assert {one.kind for one in wrong} == {"absent for needs_approval"}


def test_a_row_of_nobody_is_found(asked: Judgement) -> None:
    at, sessions = asked.shown[-1]
    label, session = next(iter(sessions.items()))
    ghost = session._replace(agents=(*session.agents, session.agents[0]._replace(key="ghost")))
    shown = [*asked.shown, type(asked.shown[0])(at + 1.0, {label: ghost})]
    wrong = check(asked.played.truth, shown, [], asked.played.end + 8.0).wrong
    assert [one.kind for one in wrong] == ["nobody's row"]


REASONS = {
    "error: rate limit": prompted(Fail(0.5)),
    "interrupted": replace(prompted(Say(9.0)), deeds=(*prompted(Say(9.0)).deeds, Deed(4.0, "a", "escape"))),
    "1 shell running": prompted(Call("Bash", "sleep 30", 30.0, background=True)),
    "wakes 14:05": prompted(Call("CronCreate", "look", 0.1)),
}


def resting(found: Judgement, **other: object) -> list[str]:
    """The kinds of what is wrong if every resting agent had said something else."""
    shown = []
    for at, sessions in found.shown:
        changed = {
            label: one._replace(
                agents=tuple(a._replace(**other) if a.status == WAITING else a for a in one.agents)  # type: ignore[arg-type]
            )
            for label, one in sessions.items()
        }
        shown.append(type(found.shown[0])(at, changed))
    played = found.played
    wrong = check(played.truth, shown, excuses(found.program, played.truth), played.end + 8.0).wrong
    return [one.kind for one in wrong]


@pytest.mark.parametrize("words", REASONS)
def test_an_agent_that_does_not_say_why_it_rests_is_found(words: str) -> None:
    found = judge(REASONS[words])
    assert words in [agent.detail for _, sessions in found.shown for one in sessions.values() for agent in one.agents]
    assert resting(found) == []
    assert resting(found, detail="") == ["wrong reason to rest"]


def test_an_agent_that_gives_a_reason_to_rest_without_having_one_is_found(asked: Judgement) -> None:
    assert resting(asked, detail="interrupted") == ["wrong reason to rest"]


def test_an_agent_that_seems_to_rest_since_its_session_began_is_found(asked: Judgement) -> None:
    assert resting(asked, since=NOON + 0.1) == ["rests for longer than it does"]


def test_every_excuse_has_a_reason() -> None:
    assert UNKNOWABLE
    assert all(one.reason and one.states for one in UNKNOWABLE.values())


def test_an_escape_before_any_output_is_excused_only_without_the_registry() -> None:
    program = prompted(Say(5.0), registry=False)
    program = replace(program, deeds=(*program.deeds, Deed(1.06, "a", "escape")))
    found = judge(program)
    assert found.findings.wrong == []
    assert found.findings.excused["escape before any output, or while Stop hooks run"] > 0
    assert not judge(replace(program, registry=True)).findings.excused


def test_an_escape_before_any_output_is_excused_until_the_watcher_must_have_guessed_it() -> None:
    program = prompted(Say(5.0), registry=False)
    program = replace(program, deeds=(*program.deeds, Deed(1.06, "a", "escape")))
    with mutants()["MAIN_RULES without silent"].put_in():
        assert [wrong.kind for wrong in judge(program).findings.wrong] == ["wrong reason to rest"]
