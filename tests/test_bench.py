"""The benchmarks measure what they say; how fast it is, is not asked here."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import psutil
import pytest

from bench import delay, hook, idle, imports, lines, place, race, screen, sight, ticks, tray, turn, watcher, words
from bench.__main__ import main
from bench.crowd import Crowd
from bench.place import Place
from bench.race import Taken
from bench.table import Budget, Row, Table, show
from contract import paths, status, store
from contract.events import EVENTS
from needs import need
from watcher.clock import Clock
from watcher.following import Followed

PROJECT = Path(__file__).parent.parent


@pytest.fixture
def where(tmp_path: Path) -> Place:
    return Place(str(tmp_path / "place"))


def bench(*args: str, tmp: Path) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "TMPDIR": str(tmp)}
    argv = [sys.executable, "-m", "bench", *args]
    return subprocess.run(argv, cwd=PROJECT, env=env, capture_output=True, text=True, check=False)


def is_open(transcript: str) -> bool:
    followed = Followed(transcript, sidechain=False)
    clock = Clock()
    followed.look(clock.tick(), clock)
    return followed.turn.open


# --- the list


def test_without_a_name_all_benchmarks_are_listed_with_a_word_on_each(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    told = capsys.readouterr().out.splitlines()
    found = {words[0]: words[1:] for line in told if (words := line.split())}
    for name in ("hook", "turn", "watcher", "lineage"):
        assert len(found[name]) > 3


def test_an_unknown_name_is_an_error_that_names_the_known_ones(tmp_path: Path) -> None:
    done = bench("hoook", tmp=tmp_path)
    assert done.returncode == 2
    assert "'hoook'" in done.stderr
    assert "hook, turn, watcher" in done.stderr


def test_every_listed_benchmark_has_a_main(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (hook, turn, watcher):
        monkeypatch.setattr(sys, "argv", ["bench", "--help"])
        with pytest.raises(SystemExit) as left:
            module.main()
        assert left.value.code == 0


# --- tables and budgets


def test_a_budget_is_kept_up_to_its_limit() -> None:
    assert Budget(2.2, 2.2).is_kept
    assert not Budget(2.21, 2.2).is_kept
    assert Budget(3.0, 3.0, at_least=True).is_kept
    assert not Budget(2.9, 3.0, at_least=True).is_kept


def test_a_missed_limit_fails_the_run_and_a_missed_goal_does_not(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [Row("fast", ("1",), (Budget(1, 2),)), Row("slow", ("3",), (Budget(3, 2, hard=False),))]
    assert show([Table("all fine", ("ms",), rows)]) == 0
    assert "goal <= 2 x: MISSED" in capsys.readouterr().out
    assert show([Table("not fine", ("ms",), [*rows, Row("late", ("4",), (Budget(4, 2),))])]) == 1
    told = capsys.readouterr().out
    assert "<= 2 x: kept" in told
    assert "A budget is missed: late" in told


def test_the_columns_of_a_table_stand_below_their_names() -> None:
    drawn = str(Table("title", ("median", "p95"), [Row("a", ("1.00 ms", "2.00 ms")), Row("bcd")], ["note"]))
    assert drawn.splitlines() == [
        "title",
        "        median      p95   budget",
        "  a    1.00 ms  2.00 ms",
        "  bcd",
        "  note",
    ]


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


# --- the hook


def test_the_hook_benchmark_prints_all_rows_and_leaves_nothing_behind(borrowed_home: Path, tmp_path: Path) -> None:
    done = bench("hook", "--rounds", "1", "--budget", "1000", tmp=tmp_path)
    assert done.returncode == 0, done.stderr
    for name in (hook.BARE, hook.OURS, "a plain recorder", "bash + jq", hook.SHELL, hook.BY_SHELL):
        assert name in done.stdout
    assert "<= 1000 x: kept" in done.stdout
    assert list(tmp_path.iterdir()) == list(borrowed_home.iterdir()) == []


def test_the_hook_benchmark_tells_what_is_imported(tmp_path: Path) -> None:
    done = bench("hook", "--imports", tmp=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "beyond a bare start" in done.stdout
    assert "fcntl" in done.stdout


def test_what_python_says_of_its_imports_is_understood() -> None:
    told = "import time: self [us] | cumulative | imported package\nimport time:       67 |         70 |     _codecs\n"
    assert imports.parse(told) == {"_codecs": 67.0}


def test_the_hook_benchmark_fails_when_its_budget_is_missed(tmp_path: Path) -> None:
    done = bench("hook", "--rounds", "1", "--budget", "0.001", tmp=tmp_path)
    assert done.returncode == 1, done.stderr
    assert "<= 0.001 x: MISSED" in done.stdout
    assert "A budget is missed: ours" in done.stdout


def test_without_jq_its_row_is_left_out_and_that_is_said(where: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    os.mkdir(where.path)
    first, _ = hook.measure(where, 1, 1000)
    assert [row.name for row in first.rows] == [hook.BARE, hook.OURS, "a plain recorder with json"]
    assert "jq: NOT MEASURED" in str(first)


def test_the_ratio_of_the_hook_is_that_of_the_medians() -> None:
    taken = {hook.BARE: [Taken(10, 8), Taken(12, 8), Taken(11, 8)], hook.OURS: [Taken(22, 9)] * 3}
    table = hook.start_table(taken, 3, most=1.9)
    assert [row.cells[-1] for row in table.rows] == ["1.00 x", "2.00 x"]
    assert [budget.is_kept for budget in table.rows[1].budgets] == [False, False]
    assert table.rows[1].budgets[0].hard


# --- the turn


def test_what_one_event_adds_is_told_for_each_kind_of_hook() -> None:
    taken = {turn.NONE: [50.0, 90.0, 20.0], turn.TRUE: [53.0, 93.0, 23.0], turn.OURS: [59.0, 99.0, 900.0]}
    drawn = turn.table(taken, rounds=3, calls=5, most=2.5)
    ours = drawn.rows[-1]
    assert ours.cells[:3] == ("99.00 ms", "3.00 ms", "3.00 x")
    assert [budget.is_kept for budget in ours.budgets] == [False]
    assert [row.budgets for row in drawn.rows[:-1]] == [(), ()]


def test_a_ratio_is_told_with_its_doubt() -> None:
    quiet = {turn.NONE: [50.0] * 9, turn.TRUE: [53.0] * 9, turn.OURS: [59.0] * 9}
    assert turn.likely(quiet, turn.OURS) == (3.0, 3.0)
    low, high = turn.likely({**quiet, turn.OURS: [53.0, 59.0, 80.0] * 3}, turn.OURS)
    assert low < 3.0 < high
    assert turn.likely({**quiet, turn.TRUE: [49.0] * 9}, turn.OURS) == (float("inf"), float("inf"))


def test_a_machine_on_which_nothing_can_be_told_is_no_reason_to_fail_a_budget() -> None:
    taken = {turn.NONE: [50.0], turn.TRUE: [49.0], turn.OURS: [60.0]}
    with pytest.raises(SystemExit, match="too busy"):
        turn.table(taken, rounds=1, calls=5, most=4)


def test_all_kinds_of_hooks_listen_to_the_same_events() -> None:
    kinds = {name: one["hooks"] for name, one in turn.variants().items() if name != turn.NONE}
    assert len(kinds) == 4
    for name, events in kinds.items():
        assert events.keys() == EVENTS.keys()
        waits_not = {event for event, groups in events.items() if groups[0]["hooks"][0].get("async")}
        expected = {event for event, is_async in EVENTS.items() if is_async}
        assert waits_not == (expected if name in (turn.OURS, turn.TRUE_ASYNC) else set())


def test_without_a_client_the_turn_is_not_measured_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], where: Place
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(sys, "argv", ["bench"])
    assert turn.main() == 0
    assert "NOT MEASURED, because there is no client: client: npm is missing" in capsys.readouterr().out
    (table,) = words.measure(where, 1)
    assert "NOT MEASURED, because there is no client" in str(table)


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


def test_ticks_are_measured_at_each_size(where: Place) -> None:
    (table,) = ticks.measure(where, 2, (10, 20))
    assert list(table.columns) == ["10 agents", "20 agents", "last to first"]
    assert [len(row.cells) for row in table.rows] == [3, 3, 3]
    assert [len(row.budgets) for row in table.rows] == [1, 1, 0]


def test_a_change_is_news_each_time(where: Place) -> None:
    with Crowd(where, 1, agents_each=2) as crowd:
        world = ticks.World(crowd)
        told = []
        for _ in range(4):
            world.look()
            told.append(store.read(paths.status(where.state, crowd.sessions[0])))
    assert len(set(told)) == 4


def test_a_first_sight_is_measured_at_each_length_and_the_files_go_again(where: Place) -> None:
    os.mkdir(where.path)
    (table,) = sight.measure(where, 1, (1, 2))
    assert list(table.columns) == ["1 MB", "2 MB", "longest to shortest"]
    assert [row.name for row in table.rows] == ["time", "memory at its peak"]
    assert os.listdir(where.path) == []


def test_a_transcript_is_as_long_as_it_should_be_and_ends_in_an_open_turn(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    sight.write(str(path), 1_000_000)
    assert path.stat().st_size == pytest.approx(1_000_000, rel=0.15)
    assert is_open(str(path))


def test_a_turn_that_has_ended_is_over_in_its_transcript(tmp_path: Path) -> None:
    path = tmp_path / "short.jsonl"
    path.write_bytes(lines.turn("s", 3))
    assert not is_open(str(path))


def test_the_watcher_at_rest_is_measured_in_its_own_process(where: Place) -> None:
    (table,) = idle.measure(where, 0.2)
    assert [row.name for row in table.rows][:2] == ["share of one core", "resident memory"]
    assert float(table.rows[1].cells[0].split()[0]) > 5


def test_the_delay_is_measured_from_the_fact_and_from_the_hook(where: Place) -> None:
    (table,) = delay.measure(where, 2)
    written, started = table.rows
    assert (written.name, started.name) == ("from the fact written", "from the hook started")
    assert all(float(cell.split()[0]) > 0 for row in table.rows for cell in row.cells)


def test_how_much_faster_our_words_come_is_told() -> None:
    taken = {words.STATUS: [Taken(50, 40)] * 3, words.AGENTS: [Taken(200, 150)] * 3}
    ours, theirs = words.table(taken, 3).rows
    assert ours.budgets == (Budget(4.0, words.LEAST, "x faster", at_least=True),)
    assert theirs.cells[-1] == "4.00 x"


def test_only_the_parts_that_are_named_run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["bench", "sight", "--rounds", "1", "--largest", "1"])
    assert watcher.main() in (0, 1)
    told = capsys.readouterr().out
    assert "A transcript at first sight" in told
    assert "live sessions" not in told


def test_a_part_that_does_not_exist_is_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["bench", "sihgt"])
    with pytest.raises(SystemExit) as left:
        watcher.main()
    assert left.value.code == 2
    assert "no such part: sihgt" in capsys.readouterr().err


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
    kept, missed = (screen.delay_row("x", [5.0] * 9 + [last], 100.0).budgets[0] for last in (99.0, 101.0))
    assert (kept.is_kept, missed.is_kept) == (True, False)
