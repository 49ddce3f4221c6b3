"""The model of the client shows what the real client shows, in the same order: programs are played on both.

What is true in the model is what our watcher shows of the real client.
"""

from __future__ import annotations

import difflib
import os
from collections import Counter
from dataclasses import fields
from typing import TYPE_CHECKING, Any, get_args

import pytest

from e2e.harness.chosen import needs_client
from e2e.harness.folders import temporary_folder
from e2e.harness.honest_programs import BY_TIME, PROGRAMS, UNORDERED, UNSTEADY
from e2e.harness.lights import Lights, Row, agree
from e2e.harness.modelled import BEGUN, modelled
from e2e.harness.player import Player
from e2e.harness.staged import moves_of
from e2e.harness.watched import EVIDENCE
from e2e.harness.watchers import ALL, Watchers
from simulator import people
from simulator.client import Client
from simulator.model import NOWHERE
from simulator.program import FEEDBACK, NO, YES, Call, Deed, Move, Own, Program, Spawn
from simulator.world import World

if TYPE_CHECKING:
    from collections.abc import Iterator

    from e2e.harness.api import Api
    from e2e.harness.kinds import Streams

DOSE = "YOURTURN_HONESTY"
EVERY = 10  # of the programs runs with the other tests: DOSE=all runs all of them


def _chosen() -> list[str]:
    return list(PROGRAMS) if os.environ.get(DOSE) == "all" else list(PROGRAMS)[::EVERY]


@needs_client("2.1.325", "the simulator models that one")
@pytest.mark.parametrize("name", _chosen())
def test_the_model_shows_what_the_client_shows(name: str, client_program: str, api: Api, folder: str) -> None:
    program, model = PROGRAMS[name], modelled(PROGRAMS[name])
    player = Player(program, client_program, api, folder)
    with Watchers(api, player.home, {ALL: EVIDENCE[ALL]}) as watchers:
        if program.hooks:
            installed = watchers.run("install", "--yes")
            assert installed.returncode == 0, installed.stderr
        watchers.ready()
        player.env = watchers.hook_env
        real, where = player.play(model, Lights(program, model.truth, watchers.onlooker()).check)
    apart = _differences(_steady(name, model.streams()), _steady(name, real))
    assert not apart, f"{apart}\n{where}"
    assert not where, where


def test_every_kind_of_step_is_in_some_program() -> None:
    moves = [move for program in PROGRAMS.values() for move in moves_of(program)]
    assert {type(move) for move in moves} >= set(get_args(Move))
    calls = [move for move in moves if isinstance(move, Call)]
    assert {call.tool for call in calls} >= {"Bash", "Monitor", "CronCreate"}
    assert {call.ask.answer for call in calls if call.ask} == {YES, NO, FEEDBACK, ""}
    assert {call.elicits.answer for call in calls if call.elicits} == {YES, NO, ""}
    assert all(any(getattr(call, flag) for call in calls) for flag in ("fails", "background"))
    assert {(move.background, move.is_mate, move.in_pane) for move in moves if isinstance(move, Spawn)} == {
        (True, False, False), (False, False, False), (True, True, False), (True, True, True),
    }  # fmt: skip


def test_every_deed_is_in_some_program() -> None:
    deeds = {deed.do for program in PROGRAMS.values() for deed in program.deeds}
    known = people.deeds(Client(World(Program(1, ()), NOWHERE), "a"), Deed(0.0, "a", ""))
    assert deeds == {*people.BEGINNINGS, *known}


def test_every_hook_of_the_users_own_is_in_some_program() -> None:
    hooks = [program.own for program in PROGRAMS.values()]
    assert all(any(getattr(own, field.name) != field.default for own in hooks) for field in fields(Own))
    assert {own.permission for own in hooks} == {YES, NO, ""}


def test_programs_with_and_without_hooks_are_played() -> None:
    assert {program.hooks for program in PROGRAMS.values()} == {True, False}


def test_no_move_is_in_two_places() -> None:
    """A move is known by its place in memory, so that equal ones have gates of their own."""
    for program in PROGRAMS.values():
        moves = list(moves_of(program))
        assert len({id(move) for move in moves}) == len(moves)


def test_what_comes_in_no_order_is_compared_without_one() -> None:
    one, other = ["Stop", "Notification idle_prompt"], ["Notification idle_prompt", "Stop"]
    assert not _differences({"hooks of x": one}, {"hooks of x": other})
    assert _differences({"hooks of x": one}, {"hooks of x": ["Stop"]})
    assert not _differences({"hooks of x": ["Stop"]}, {"hooks of x": one}), "on a slow machine it comes"
    assert _differences({"hooks of x": ["Stop", "SessionEnd"]}, {"hooks of x": ["SessionEnd", "Stop"]})


def test_a_wrong_light_of_a_session_or_an_agent_is_noticed() -> None:
    working, over = frozenset({"working"}), frozenset({"over"})
    row = Row(working, working, (working, over))

    def told(status: str, *others: str) -> dict[str, Any]:
        agents = [{"key": key, "status": one, "state": ""} for key, one in zip("abc", others, strict=False)]
        return {"status": status, "agents": [{"key": "main", "status": status, "state": ""}, *agents]}

    assert agree([row], [told("working", "working")])
    assert agree([row], [told("working", "waiting", "working")]), "who is over rests"
    assert agree([row, Row(over, over)], [told("waiting"), told("working", "working")]) is False, "not two sessions"
    for wrong in (told("waiting", "working"), told("working"), told("working", "working", "working")):
        assert not agree([row], [wrong])
    assert not agree([row], [])


def test_to_wait_for_a_step_is_no_reason_to_keep_an_idle_between_two_turns() -> None:
    """The client may show it just when the second turn is known to have begun."""
    cues = modelled(PROGRAMS["queued prompt while it writes"]).cues
    begins = [cue for cue in cues if cue.kind == BEGUN]
    assert len(begins) == 2
    assert not any(cue.may_begin_a_turn for cue in begins)
    assert all(cue.may_begin_a_turn for cue in cues if cue not in begins)


def _steady(name: str, streams: Streams) -> Streams:
    unsteady, _ = UNSTEADY.get(name, ("nothing", ""))
    return {stream: kinds for stream, kinds in streams.items() if not stream.startswith(unsteady)}


def _differences(model: Streams, real: Streams) -> str:
    """Each stream that differs, as a person reads a patch: - is only in the model, + only in the client."""
    told = []
    for name in sorted({*model, *real}):
        ours, theirs = model.get(name, []), real.get(name, [])
        if _in_order(ours) != _in_order(theirs) or not _are_as_many(_in_no_order(ours), _in_no_order(theirs)):
            told += [f"{name}:", *(f"  {line}" for line in difflib.ndiff(ours, theirs) if not line.startswith("?"))]
    return "\n".join(told)


def _in_order(kinds: list[str]) -> list[str]:
    return [kind for kind in kinds if not kind.startswith(tuple(UNORDERED))]


def _in_no_order(kinds: list[str]) -> Counter[str]:
    return Counter(kind for kind in kinds if kind.startswith(tuple(UNORDERED)))


def _are_as_many(model: Counter[str], real: Counter[str]) -> bool:
    more = [kind for kind in real - model if not kind.startswith(BY_TIME)]
    return not more and not model - real


@pytest.fixture
def folder() -> Iterator[str]:
    with temporary_folder() as path:
        yield path
