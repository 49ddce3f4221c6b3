"""The benchmarks measure what they say; how fast it is, is not asked here."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from pathlib import Path

import psutil
import pytest

from bench import (
    cpu,
    delay,
    hook,
    imports,
    line,
    lines,
    place,
    race,
    screen,
    sight,
    ticks,
    together,
    tray,
    turn,
    watcher,
    words,
)
from bench.crowd import Crowd
from bench.dose import Dose
from bench.figure import Figure, Missing
from bench.place import Place
from bench.race import Taken
from contract import paths, status, store
from contract.events import EVENTS
from needs import need
from watcher.clock import Clock
from watcher.following import Followed


@pytest.fixture
def where(tmp_path: Path) -> Place:
    return Place(str(tmp_path / "place"))


def is_open(transcript: str) -> bool:
    followed = Followed(transcript, sidechain=False)
    clock = Clock()
    followed.look(clock.tick(), clock)
    return followed.turn.open


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
    assert len(kinds) == 5
    for name, events in kinds.items():
        assert events.keys() == EVENTS.keys()
        waits_not = {event for event, groups in events.items() if groups[0]["hooks"][0].get("async")}
        expected = {event for event, is_async in EVENTS.items() if is_async}
        assert waits_not == (expected if name in (turn.OURS, turn.OURS_EXEC, turn.TRUE_ASYNC) else set())


def test_without_a_client_nothing_of_it_is_measured_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", "/nowhere")
    for module in (turn, words):
        (missing,) = module.figures(Dose(0.0))
        assert isinstance(missing, Missing)
        assert missing.why.startswith("there is no client: client: npm is missing")


# --- the watcher


def test_the_crowd_lives_as_long_as_it_is_needed(where: Place) -> None:
    with Crowd(where, 2, agents_each=3) as crowd:
        family = psutil.Process().children()
        assert {crowd.pid(session) for session in crowd.sessions} == {process.pid for process in family}
        assert len(store.names(paths.fact_dir(where.state))) == 6
    assert not any(process.is_running() for process in family)


def test_half_of_the_crowd_works_and_the_other_half_waits(where: Place) -> None:
    with Crowd(where, 4) as crowd:
        ticks.World(crowd)
        found = [status.decode(store.read(paths.status(where.state, session)) or b"") for session in crowd.sessions]
    assert [one.status for one in found if one] == ["working", "working", "waiting", "waiting"]
    assert [is_open(one.transcript) for one in found if one] == [True, True, False, False]


def test_the_watcher_sees_all_agents_of_the_crowd(where: Place) -> None:
    with Crowd(where, 1, agents_each=3) as crowd:
        ticks.World(crowd)
        found = status.decode(store.read(paths.status(where.state, crowd.sessions[0])) or b"")
        assert found
        assert [agent.key for agent in found.agents] == crowd.agents(crowd.sessions[0])


def test_a_tick_is_measured_at_each_size(where: Place) -> None:
    taken = ticks.measure(where, 2, (1, 3))
    assert {name: {size: len(many) for size, many in found.items()} for name, found in taken.items()} == {
        ticks.TICK: {1: 2, 3: 2},
        ticks.POLL: {1: 2, 3: 2},
    }


def test_a_tick_is_told_next_to_that_of_the_fewest_agents() -> None:
    one, many, grows = ticks.told(ticks.TICK, {1: [2.0], 1000: [8.0]})
    assert (one.ratio, many.ratio, many.against) == (1.0, 4.0, "1 agent")
    assert [budget.is_kept for budget in many.budgets] == [False]
    assert grows.middle == pytest.approx(0.2007, abs=1e-4)


def test_a_change_is_news_each_time(where: Place) -> None:
    with Crowd(where, 1, agents_each=2) as crowd:
        world = ticks.World(crowd)
        told = []
        for _ in range(4):
            world.tick()
            told.append(store.read(paths.status(where.state, crowd.sessions[0])))
    assert len(set(told)) == 4


def test_a_first_sight_is_measured_at_each_length_and_the_files_go_again(where: Place) -> None:
    os.mkdir(where.path)
    taken, peaks = sight.measure(where, 1, (1, 2))
    assert list(taken) == list(peaks) == [1, 2]
    assert os.listdir(where.path) == []


def test_a_first_sight_is_told_with_its_growth_and_its_memory() -> None:
    first, last, grows, memory = sight.told({1: [5.0], 1000: [15.0]}, {1: 1.0, 1000: 20.0})
    assert (first.ratio, last.ratio) == (1.0, 3.0)
    assert (first.missed, last.missed) == (False, True)
    assert grows.unit == "exponent"
    assert (memory.middle, memory.unit, memory.missed) == (20.0, "MB", True)


def test_a_transcript_is_as_long_as_it_should_be_and_ends_in_an_open_turn(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    sight.write(str(path), 1_000_000)
    assert path.stat().st_size == pytest.approx(1_000_000, rel=0.15)
    assert is_open(str(path))


def test_a_turn_that_has_ended_is_over_in_its_transcript(tmp_path: Path) -> None:
    path = tmp_path / "short.jsonl"
    path.write_bytes(lines.turn("s", 3))
    assert not is_open(str(path))


def test_watchers_of_all_sizes_are_measured_at_rest_and_busy(where: Place) -> None:
    found = watcher.measure(where, (1, 2), 2, 0.2)
    assert list(found) == [1, 2]
    for seen in found.values():
        assert {way: len(shares) for way, shares in seen.shares.items()} == {watcher.REST: 2, watcher.BUSY: 2}
        assert seen.memory > 5


def test_a_busy_watcher_is_given_events_in_every_crowd(where: Place) -> None:
    with Crowd(where, 2) as crowd:
        before = together.kept(where)
        watcher._Work({2: crowd}, 0.1)()
        assert together.kept(where) > before


def test_the_share_of_many_agents_is_told_next_to_that_of_one() -> None:
    found = {
        1: watcher.Seen({watcher.REST: [0.1], watcher.BUSY: [1.0]}, 26.0),
        1000: watcher.Seen({watcher.REST: [3.0], watcher.BUSY: [5.0]}, 52.0),
    }
    told = {one.key: one for one in watcher.told(found)}
    many = told["watcher.cpu.at rest.1000"]
    assert many.what == "watcher at rest, 1,000 agents: of one core"
    assert many.ratio == pytest.approx(30.0)
    assert [(budget.limit, budget.is_kept) for budget in many.budgets] == [(2.0, False)]
    assert told["watcher.memory.1000"].ratio == 2.0
    assert told["watcher.cpu.busy.growth"].middle == pytest.approx(0.233, abs=1e-3)


def test_a_watcher_that_takes_nothing_has_no_ratio() -> None:
    found = {size: watcher.Seen({watcher.REST: [0.0], watcher.BUSY: [1.0]}, 26.0) for size in (1, 20)}
    told = {one.key: one for one in watcher.told(found)}
    assert told["watcher.cpu.at rest.20"].ratio is None


def test_the_delay_is_measured_from_the_fact_and_from_the_hook(where: Place) -> None:
    os.mkdir(where.path)
    written, started = delay.measure(where, 2)
    assert (len(written), len(started)) == (2, 2)
    assert min(written + started) > 0


def test_how_much_faster_our_words_come_is_told() -> None:
    ours, theirs = words.told({words.STATUS: [50.0] * 3, words.AGENTS: [200.0] * 3})
    assert (ours.ratio, theirs.middle) == (0.25, 200.0)
    assert [str(budget) for budget in ours.budgets] == [">= 3 x faster: kept"]


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


# --- the bars


def test_the_screen_is_measured_until_it_shows_each_change_and_at_rest(where: Place) -> None:
    need("tmux")
    os.mkdir(where.path)
    with screen.Watched(where, 3) as watched, screen.Screen(watched) as top:
        taken = [screen.delay(watched, top, k) for k in range(2)]
        share, memory = screen.rest(watched, top, 0.2)
    assert all(one > 0 for one in taken)
    assert 0 <= share < 100
    assert memory > 1 << 20


def test_a_change_that_is_not_drawn_stops_the_benchmark(where: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    need("tmux")
    os.mkdir(where.path)
    monkeypatch.setattr(screen, "PATIENCE_S", 0.3)
    with screen.Watched(where, 3) as watched, screen.Screen(watched) as top:
        monkeypatch.setattr(type(watched), "put", lambda _self, _one: None)
        with pytest.raises(AssertionError, match="stayed as it was"):
            screen.delay(watched, top, 1)


def test_each_first_drawing_of_the_tray_is_another_picture() -> None:
    pytest.importorskip("dbus_fast", reason="THE TRAY WAS NOT MEASURED: pip install dbus-fast (Linux only)")
    need("dbus-daemon")
    taken = asyncio.run(tray.first_drawings(4, 3))
    assert len(taken) == 3
    assert all(one > 0 for one in taken)


def test_a_late_drawing_misses_its_budget() -> None:
    kept, missed = (screen.late("x", "x", [5.0] * 9 + [last], 100.0) for last in (99.0, 101.0))
    assert (kept.missed, missed.missed) == (False, True)


def test_the_line_is_measured_until_it_says_each_change(where: Place) -> None:
    os.mkdir(where.path)
    with screen.Watched(where, 3) as watched:
        taken = line.delays(watched, 2)
    assert len(taken) == 2
    assert all(one > 0 for one in taken)
