"""The watcher is measured among as many agents as it is said; how fast it is, is not asked here."""

from __future__ import annotations

import os
import signal
import subprocess
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from bench import delay, lines, sight, ticks, together, watcher
from bench.crowd import Crowd
from bench.place import Place
from bench.watching import Watching
from contract import paths, status, store
from watcher.clients.claude.transcripts import Followed
from watcher.clock import Clock
from watcher.files import allowance

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def where(tmp_path: Path) -> Place:
    return Place(str(tmp_path / "place"))


def is_open(transcript: str) -> bool:
    followed = Followed(transcript, sidechain=False)
    clock = Clock()
    followed.look(clock.tick(), clock)
    return followed.turn.open


def test_the_crowd_lives_as_long_as_it_is_needed(where: Place) -> None:
    others = set(psutil.Process().children())  # of tests before this one
    with Crowd(where, 2, agents_each=3) as crowd:
        family = set(psutil.Process().children()) - others
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


def test_all_agents_are_seen_though_one_look_reads_only_some_transcripts(
    where: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(allowance, "ALL", 1)
    with Crowd(where, 12) as crowd:
        ticks.World(crowd)
        assert len(store.names(paths.status_dir(where.state))) == 12


def test_an_agent_that_the_watcher_never_tells_of_is_said(where: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    with Crowd(where, 3) as crowd:
        monkeypatch.setattr(crowd, "sessions", [*crowd.sessions, "nobody"])
        with pytest.raises(AssertionError, match="tells of 3 of 4 sessions"):
            ticks.World(crowd)


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
    written, started = delay.measure(where, delay.SESSIONS)  # each goes to work, and back
    assert (len(written), len(started)) == (delay.SESSIONS, delay.SESSIONS)
    assert min(written + started) > 0


def test_who_is_interrupted_while_the_watcher_starts_leaves_none(where: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    started, start = [], subprocess.Popen

    def interrupted(*words: Any, **more: Any) -> Any:
        started.append(start(*words, **more))
        signal.raise_signal(signal.SIGINT)
        return started[0]

    monkeypatch.setattr(subprocess, "Popen", interrupted)
    with pytest.raises(KeyboardInterrupt), Watching(where):
        pass
    assert started[0].poll() is not None
