"""Races, hooks and turns are measured as they say; how fast they are, is not asked here."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import psutil
import pytest

from bench import cpu, hook, imports, place, race, together, turn, words
from bench.dose import Dose
from bench.figure import Figure, Missing
from bench.place import Place
from bench.race import Taken
from contract.clients.claude import EVENTS
from support.needs import need


@pytest.fixture
def where(tmp_path: Path) -> Place:
    return Place(str(tmp_path / "place"))


# --- the race


def test_each_contestant_runs_as_often_as_the_others_and_the_warm_up_does_not_count() -> None:
    ran: list[str] = []

    def contestant(name: str) -> int:
        ran.append(name)
        return len(ran)

    taken = race.interleaved({name: lambda name=name: contestant(name) for name in "abc"}, 4)  # type: ignore[misc]
    assert {name: len(many) for name, many in taken.items()} == {"a": 4, "b": 4, "c": 4}
    assert sorted(ran) == sorted("abc" * 5)
    assert min(number for many in taken.values() for number in many) == 4
    rounds = ["".join(ran[k : k + 3]) for k in range(0, 15, 3)]
    assert len(set(rounds)) > 3, "nobody is always first"


def test_a_program_is_timed_and_its_failure_stops_the_benchmark() -> None:
    taken = race.run([sys.executable, "-S", "-c", "pass"], {})
    assert taken.wall >= taken.cpu > 0
    with pytest.raises(SystemExit, match="exit status 3"):
        race.run([sys.executable, "-S", "-c", "raise SystemExit(3)"], {})


def test_a_program_reads_what_it_is_given(tmp_path: Path) -> None:
    (tmp_path / "given").write_text("7")
    with pytest.raises(SystemExit, match="exit status 7"):
        race.run([sys.executable, "-S", "-c", "raise SystemExit(int(input()))"], {}, str(tmp_path / "given"))


def test_median_and_p95_are_those_of_the_values() -> None:
    assert race.median([3.0, 1.0, 2.0]) == 2.0
    assert race.p95([float(k) for k in range(100)]) == 95.0
    assert race.p95([1.0]) == 1.0


def test_programs_at_once_each_read_their_own_and_the_failure_of_one_stops_the_benchmark(tmp_path: Path) -> None:
    for number in (0, 3):
        (tmp_path / str(number)).write_text(str(number))
    argv = [sys.executable, "-S", "-c", "raise SystemExit(int(input()))"]
    assert race.run_together(argv, {}, [str(tmp_path / "0")] * 3) > 0
    with pytest.raises(SystemExit, match="exit status 3"):
        race.run_together(argv, {}, [str(tmp_path / "0"), str(tmp_path / "3"), str(tmp_path / "0")])


def test_what_a_process_has_spent_is_that_of_all_its_threads() -> None:
    times = psutil.Process().cpu_times()
    before = times.user + times.system
    assert cpu.spent(os.getpid()) >= before - 0.02, "the kernel's coarse count is never far ahead"


def test_a_benchmark_lives_in_a_folder_of_its_own_that_goes_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with place.folder() as path:
        env = Place(path).environment()
        assert {value for name, value in env.items() if name not in ("PATH", "LANG")} == {
            path,
            f"{path}/state",
            f"{path}/.claude",
        }
        assert Path(path).parent == tmp_path.resolve()
    assert list(tmp_path.iterdir()) == []


# --- the hook


def test_the_hook_is_measured_next_to_all_that_is_installed(where: Place) -> None:
    need("bash", "jq", "node")
    os.mkdir(where.path)
    taken = hook.measure(where, 1)
    ours = {hook.BARE, hook.OURS, hook.SHELL, hook.BY_SHELL}
    assert set(taken) == {*ours, "a plain recorder with json", hook.ONCE, hook.THRICE, hook.NODE}


def test_what_is_not_installed_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    found = list(hook.figures(Dose(0.0)))
    assert [one.what for one in found if isinstance(one, Missing)] == ["bash + jq", "node"]
    assert [one.key for one in found if isinstance(one, Figure) and one.key.startswith("hook")] == [
        "hook.one",
        "hook.by-shell",
    ]


def test_what_python_says_of_its_imports_is_understood() -> None:
    told = "import time: self [us] | cumulative | imported package\nimport time:       67 |         70 |     _codecs\n"
    assert imports.parse(told) == {"_codecs": 67.0}


def test_imports_are_folded_to_the_most_expensive_ones() -> None:
    told = imports.folded({f"module{k}": 1000.0 * k for k in range(1, 15)})
    assert told[0].endswith(": 105.00 ms")
    assert told[2].split() == ["module14", "14.00"]
    assert told[-1].split() == ["2", "more", "3.00"]
    assert len(told) == 2 + imports.SHOWN + 1


def test_the_ratio_of_the_hook_is_that_of_the_medians() -> None:
    taken = {hook.BARE: [Taken(10, 8), Taken(12, 8), Taken(11, 8)], hook.OURS: [Taken(25, 9)] * 3}
    bare, ours = hook.told(taken)
    assert (bare.ratio, ours.ratio) == (1.0, 25 / 11)
    assert [(budget.hard, budget.is_kept) for budget in ours.budgets] == [(True, False), (False, False)]


def test_hooks_at_once_are_measured_and_none_of_their_events_is_lost(where: Place) -> None:
    os.mkdir(where.path)
    ours, bare = together.measure(where, 5, 2)
    assert (len(ours), len(bare)) == (2, 2)
    assert together.kept(where) == 15


def test_an_event_that_is_lost_stops_the_benchmark(where: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkdir(where.path)
    monkeypatch.setattr(together, "kept", lambda _where: 14)
    with pytest.raises(AssertionError, match="an event is lost"):
        together.measure(where, 5, 2)


# --- the turn


def test_what_hooks_add_to_a_turn_is_told_for_each_kind() -> None:
    taken = {turn.NONE: [50.0, 90.0, 20.0], turn.TRUE: [53.0, 93.0, 23.0], turn.OURS: [59.0, 99.0, 900.0]}
    without, true, ours = turn.told(taken)
    assert (without.middle, true.middle, ours.middle) == (1000.0, 60.0, 180.0)
    assert (true.ratio, ours.ratio) == (1.0, 3.0)
    assert [budget.is_kept for budget in ours.budgets] == [True, False]
    assert (without.budgets, true.budgets) == ((), ())


def test_a_ratio_is_told_with_its_doubt() -> None:
    quiet = {turn.NONE: [50.0] * 9, turn.TRUE: [53.0] * 9, turn.OURS: [59.0] * 9}
    assert turn.likely(quiet, turn.OURS) == (3.0, 3.0)
    low, high = turn.likely({**quiet, turn.OURS: [53.0, 59.0, 80.0] * 3}, turn.OURS)
    assert low < 3.0 < high
    assert turn.likely({**quiet, turn.TRUE: [49.0] * 9}, turn.OURS) == (float("inf"), float("inf"))


def test_only_a_limit_that_is_surely_missed_fails_the_run() -> None:
    quiet = {turn.NONE: [50.0] * 9, turn.TRUE: [53.0] * 9}
    *_, sure = turn.told({**quiet, turn.OURS: [65.0] * 9})
    *_, doubtful = turn.told({**quiet, turn.OURS: [53.0, 65.0, 80.0] * 3})
    assert (sure.missed, doubtful.missed) == (True, False)
    assert sure.ratio == doubtful.ratio == 5.0


def test_a_machine_on_which_nothing_can_be_told_is_no_reason_to_fail_a_budget() -> None:
    taken = {turn.NONE: [50.0], turn.TRUE: [49.0], turn.OURS: [60.0]}
    with pytest.raises(SystemExit, match="too busy"):
        list(turn.told(taken))


def test_hooks_without_a_shell_name_their_program_and_its_words() -> None:
    for groups in turn.variants()[turn.OURS_EXEC]["hooks"].values():
        entry = groups[0]["hooks"][0]
        assert entry["command"].startswith("/")
        assert entry["args"][:2] == ["-S", "-E"]
        assert entry["args"][2].endswith("/hook.py")


def test_all_kinds_of_hooks_listen_to_the_same_events() -> None:
    kinds = {name: one["hooks"] for name, one in turn.variants().items() if name != turn.NONE}
    assert len(kinds) == 6
    for name, events in kinds.items():
        assert events.keys() == EVENTS.keys()
        waits_not = {event for event, groups in events.items() if groups[0]["hooks"][0].get("async")}
        expected = {event for event, is_async in EVENTS.items() if is_async}
        assert waits_not == (expected if name in (turn.OURS, turn.OURS_EXEC, turn.TRUE_ASYNC, turn.BARE) else set())


def test_without_a_client_nothing_of_it_is_measured_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", "/nowhere")
    for module in (turn, words):
        (missing,) = module.figures(Dose(0.0))
        assert isinstance(missing, Missing)
        assert missing.why.startswith("there is no client: client: npm is missing")
