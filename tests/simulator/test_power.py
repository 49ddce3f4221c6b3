"""The power of the simulator: every broken law has its place, and is found where it makes a light wrong."""

from __future__ import annotations

from concurrent.futures import Future
from typing import TYPE_CHECKING, Self

import pytest

from simulator import power
from simulator.judgement import judge
from simulator.mutant import Mutant, NoPlaceError, Scout
from simulator.mutants import mutants
from simulator.program import Ask, Call, Deed, Program, Say
from simulator.survivors import SURVIVORS
from support.situations import SITUATIONS
from watcher.rules import dialogs
from watcher.rules.agent import Agent
from watcher.rules.law import MAIN_RULES, SUB_AGENT_RULES
from watcher.rules.view import View

if TYPE_CHECKING:
    from collections.abc import Callable

TURN_OPEN = "MAIN_RULES without turn-open"


class Place:
    """Something to break."""

    limit = 3

    @property
    def half(self) -> int:
        return self.limit // 2

    @property
    def third(self) -> int:
        return self.limit // 3


def always(value: object) -> Callable[[object], Callable[..., object]]:
    return lambda _: lambda *_args: value


def prompted(*script: Say | Call) -> Program:
    return Program(1, (Deed(0.0, "a", "start"), Deed(1.0, "a", "prompt", script)), even=True)


@pytest.mark.parametrize("name", mutants())
def test_every_broken_law_has_its_place(name: str) -> None:
    mutant = mutants()[name]
    with mutant.put_in(), mutant.watched(Scout()):
        pass


@pytest.mark.parametrize("name", SITUATIONS)
def test_a_broken_law_is_found_in_its_situation(name: str) -> None:
    assert judge(SITUATIONS[name]).findings.wrong == []
    assert power.is_found(name, SITUATIONS[name])


def test_a_place_that_is_gone_is_an_error_that_says_where_to_mend_it() -> None:
    with pytest.raises(
        NoPlaceError, match=r"'gone' is not in watcher\.rules\.dialogs any more: mend simulator/mutants\.py"
    ):
        Mutant(dialogs, "gone", always(None)).put_in().__enter__()
    with (
        pytest.raises(NoPlaceError, match="'gone' is not in its table any more"),
        Mutant({}, "gone", always(None)).watched(Scout()),
    ):
        pass


def test_a_name_that_is_only_inherited_is_no_place() -> None:
    class Below(Place):
        pass

    with pytest.raises(NoPlaceError):
        Mutant(Below, "half", always(0)).put_in().__enter__()


def test_a_broken_place_answers_wrongly_until_it_is_taken_out() -> None:
    with Mutant(Place, "half", always(7)).put_in():
        assert Place().half == 7
    assert Place().half == 1


def test_a_rule_that_never_applies_keeps_its_place_in_the_ladder() -> None:
    before = list(MAIN_RULES)
    with mutants()[TURN_OPEN].put_in():
        assert list(MAIN_RULES) == before
        assert MAIN_RULES["turn-open"](View(Agent("main", 0.0))) is None
    assert list(MAIN_RULES) == before


@pytest.mark.parametrize(("value", "differs"), [(1, False), (7, True)])
def test_a_place_that_is_watched_answers_as_ever_and_tells_whether_the_broken_one_differs(
    value: int, differs: bool
) -> None:
    scout = Scout()
    with Mutant(Place, "half", always(value)).watched(scout):
        assert Place().half == 1
    assert scout.has_met is differs


def test_a_place_that_raises_when_it_is_broken_differs() -> None:
    scout = Scout()
    with Mutant(Place, "half", lambda _: lambda one: one.missing).watched(scout):
        assert Place().half == 1
    assert scout.has_met


@pytest.mark.parametrize(("breaks", "differs"), [(lambda real: real, False), (always(None), True)])
def test_a_place_that_changes_what_it_is_given_is_tried_on_a_copy(
    breaks: Callable[[object], object], differs: bool
) -> None:
    scout, found = Scout(), list[int]()
    table = {"add": lambda to: to.append(3)}
    with Mutant(table, "add", breaks, is_pure=False).watched(scout):
        table["add"](found)
    assert found == [3]
    assert scout.has_met is differs


def test_two_places_that_make_up_for_each_other_are_broken_together() -> None:
    scout = Scout()
    both = Mutant(Place, "half", always(1), beside=Mutant(Place, "third", always(2)))
    with both.put_in():
        assert (Place().half, Place().third) == (1, 2)
    with both.watched(scout):
        assert (Place().half, scout.has_met) == (1, False)
        assert (Place().third, scout.has_met) == (1, True)


def test_a_number_is_broken_for_every_program() -> None:
    scout = Scout()
    with Mutant(Place, "limit", lambda _: 9).watched(scout):
        assert Place().limit == 3
    assert scout.has_met


def test_a_broken_law_is_found_and_what_is_found_says_after_how_many_programs() -> None:
    ((name, found),) = power.hunt([TURN_OPEN], 5)
    assert name == TURN_OPEN
    assert found.after in range(1, 6)


def test_a_law_that_nothing_is_missing_from_survives(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(power, "mutants", lambda: {"whole": Mutant(dialogs, "SHOWN_S", lambda real: real)})
    assert power.hunt_in(range(1, 3), ["whole"])["whole"] == power.Tally(after=None, met=2, programs=2)


def test_only_what_a_program_asks_for_is_played_with_it() -> None:
    names = [TURN_OPEN, "MAIN_RULES without compacting", "hooks without “compacting”"]
    assert power.differing(prompted(Say(1.0)), names) == [TURN_OPEN]


def test_what_is_found_is_told_at_once_and_once_and_what_survives_at_the_end() -> None:
    chunks = [range(1, 6), range(6, 11), range(11, 13)]
    finds = {range(6, 11): {"x": 7}, range(11, 13): {"x": 12, "y": 11}}

    class Pool:
        def __init__(self, _: int) -> None:
            pass

        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def submit(self, _: object, seeds: range, names: list[str]) -> Future[dict[str, power.Tally]]:
            future: Future[dict[str, power.Tally]] = Future()
            future.set_result({name: power.Tally(finds.get(seeds, {}).get(name), 2, 5) for name in names})
            return future

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(power, "ProcessPoolExecutor", Pool)
        patch.setattr(power, "_chunks", lambda _: iter(chunks))
        told = list(power.hunt(["x", "y", "z"], 12))
        patch.setattr(power, "_chunks", lambda _: iter(chunks))
        given_up = dict(power.hunt(["x", "z"], 12, plays=4))
    assert told == [("x", power.Tally(7, 4, 10)), ("y", power.Tally(11, 6, 15)), ("z", power.Tally(None, 6, 15))]
    assert given_up == {"x": power.Tally(7, 4, 10), "z": power.Tally(None, 4, 10)}


def test_a_watcher_that_falls_is_found() -> None:
    def falls(_: object) -> object:
        raise RuntimeError

    whole = Mutant(MAIN_RULES, "turn-open", lambda _: falls)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(power, "mutants", lambda: {"falls": whole})
        assert power.is_found("falls", prompted(Say(1.0)))


def test_the_table_says_why_something_survived_and_fails_if_nobody_knows(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = {"whole": Mutant(dialogs, "SHOWN_S", lambda real: real)}
    monkeypatch.setattr(power, "mutants", lambda: whole)
    monkeypatch.setattr(power, "hunt", lambda names, *_: [(name, power.Tally(None, 4, 9)) for name in names])
    assert power.main(["--programs", "9"]) == 1
    assert "survived 9       4  whole: NO REASON KNOWN" in capsys.readouterr().out
    monkeypatch.setattr(power, "SURVIVORS", {"whole": "nothing is broken"})
    assert power.main(["--programs", "9"]) == 0
    assert "whole: nothing is broken\n\n1 broken laws, 0 found, 1 survived\n" in capsys.readouterr().out


def test_every_survivor_is_a_broken_law_and_has_a_reason() -> None:
    assert set(SURVIVORS) <= set(mutants())
    assert all(len(reason) > 20 for reason in SURVIVORS.values())


def test_every_rule_but_the_last_of_each_ladder_is_left_out_once() -> None:
    left_out = [name for name in mutants() if "_RULES without " in name]
    assert len(left_out) == len(MAIN_RULES) + len(SUB_AGENT_RULES) - 2


def test_a_request_that_is_never_told_is_found() -> None:
    program = prompted(Call("Edit", "a.py", 1.0, Ask(after=5.0)))
    assert power.differing(program, ["hooks without “asked”"])
    assert power.is_found("MAIN_RULES without approval-asked", program)
