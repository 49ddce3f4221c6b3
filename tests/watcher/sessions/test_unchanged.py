"""At rest the cost follows what changes, not how many sessions there are."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from contract import store
from processes.process import Proc
from processes.table import AT_ONCE, Probe
from support.builders import SESSION, call, event
from support.looking import OTHER, Patient, World
from support.patience import until
from support.watching import counted_stats
from watcher.files.facts import FactFiles
from watcher.files.filewatch import Wakeup
from watcher.rules.law import resolve
from watcher.sessions.agenda import REJUDGED
from watcher.sessions.session import Session

if TYPE_CHECKING:
    from pathlib import Path

    from watcher.rules.evidence import Evidence
    from watcher.rules.verdict import Verdict


@pytest.fixture
def patient(world: World, monkeypatch: pytest.MonkeyPatch) -> Patient:
    return Patient(world, monkeypatch)


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sessions whose evidence was gathered."""
    found: list[str] = []
    gather = Session.evidence

    def counted(session: Session, *args: Any, **words: Any) -> Any:
        found.append(session.id)
        return gather(session, *args, **words)

    monkeypatch.setattr(Session, "evidence", counted)
    return found


def at_rest(patient: Patient, number: int = 1) -> list[str]:
    """So many sessions that do nothing."""
    names = [SESSION, *(OTHER[:-3] + f"{k:03}" for k in range(number - 1))]
    for name in names:
        client = patient.world.client if name == SESSION else patient.world.scene.client()
        patient.world.hook(event("UserPromptSubmit", session_id=name, prompt="x"), client)
        patient.world.transcript(name).write_bytes(b"{}\n")
    patient.later(0)
    patient.later(20)
    return names


def test_a_session_at_rest_is_passed_over(patient: Patient, looked: list[str]) -> None:
    at_rest(patient, 3)
    looked.clear()
    patient.later(1.5)
    assert looked == []


def test_one_that_goes_on_is_looked_at_alone(patient: Patient, looked: list[str]) -> None:
    at_rest(patient, 3)
    looked.clear()
    patient.world.hook(call("PreToolUse", "t", given={"command": "ls"}))
    patient.later(1.5)
    assert looked == [SESSION]


@pytest.mark.parametrize("number", [signal.SIGSTOP, signal.SIGKILL])
def test_a_poll_sees_what_becomes_of_the_process_of_one_at_rest(number: int, patient: Patient) -> None:
    at_rest(patient)
    world = patient.world
    assert world.shows() == "working"
    process = psutil.Process(world.client.pid)
    world.client.send_signal(number)
    until(lambda: process.status() in (psutil.STATUS_STOPPED, psutil.STATUS_ZOMBIE))
    assert world.shows() == ("waiting" if number == signal.SIGSTOP else "")


def test_one_whose_transcript_has_grown_is_looked_at(patient: Patient, looked: list[str]) -> None:
    at_rest(patient, 3)
    patient.later(1.5)
    patient.world.line("assistant", "hello")
    looked.clear()
    patient.later(1.5)
    assert looked == [SESSION]


def test_one_whose_transcript_was_replaced_is_looked_at(patient: Patient, looked: list[str]) -> None:
    """Of the same size and age."""
    at_rest(patient)
    patient.later(1.5)
    path = patient.world.transcript()
    before, beside = path.stat(), path.with_suffix(".new")
    beside.write_bytes(path.read_bytes())
    os.utime(beside, ns=(before.st_atime_ns, before.st_mtime_ns))
    beside.rename(path)
    looked.clear()
    patient.later(1.5)
    assert looked == [SESSION]


def test_one_without_hooks_is_looked_at_when_it_starts_a_sub_agent(patient: Patient, looked: list[str]) -> None:
    world = patient.world
    world.scene.registry(world.client, SESSION, "busy")
    world.transcript().write_bytes(b"{}\n")
    patient.later(0)
    patient.later(20)
    looked.clear()
    patient.later(1.5)
    assert looked == []
    folder = world.transcript().with_suffix("") / "subagents"
    folder.mkdir(parents=True)
    (folder / "agent-a1.jsonl").write_bytes(b"{}\n")
    patient.later(1.5)
    assert looked == [SESSION]


def test_one_whose_verdict_lapses_is_looked_at_then(
    patient: Patient, looked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def lapses(evidence: Evidence) -> dict[str, Verdict]:
        return {key: replace(verdict, until=evidence.now + 5) for key, verdict in resolve(evidence).items()}

    monkeypatch.setattr("watcher.sessions.session.resolve", lapses)
    at_rest(patient)
    looked.clear()
    patient.later(1.5)
    patient.later(1.5)
    assert looked == []
    patient.later(3)
    assert looked == [SESSION]


def test_a_status_file_that_was_removed_is_told_again_though_its_session_rests(patient: Patient) -> None:
    at_rest(patient)
    os.unlink(f"{patient.world.scene.state}/status/{SESSION}.json")
    patient.later(1.5)
    patient.later(1.5)
    assert patient.world.scene.status() == "working"


def test_a_list_of_members_ends_the_rest_of_all(patient: Patient, looked: list[str]) -> None:
    at_rest(patient)
    folder = patient.world.scene.home / ".claude" / "teams" / "t"
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(
        '{"name": "t", "leadSessionId": "x", "members": [{"name": "a", "agentId": "a@t"}]}'
    )
    looked.clear()
    patient.later(1.5)
    assert looked == [SESSION]


def test_of_many_at_rest_a_few_are_judged_again_at_each_poll_and_all_in_their_turn(
    patient: Patient, looked: list[str]
) -> None:
    names = at_rest(patient, 2 * REJUDGED + 3)
    rounds = []
    for _ in range(3):
        looked.clear()
        patient.later(20)
        rounds.append(set(looked))
    assert [len(one) for one in rounds] == [REJUDGED, REJUDGED, REJUDGED]
    assert rounds[0].isdisjoint(rounds[1])
    assert set().union(*rounds) == set(names)


# --- folders


def test_statuses_in_a_folder_that_has_not_changed_are_not_listed_again(
    patient: Patient, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_rest(patient)
    folder = f"{patient.world.scene.state}/status"
    os.utime(folder, (1000, 1000))
    patient.later(1.5)
    listed, names = [], store.names

    def spy(path: str) -> list[str]:
        listed.append(path)
        return names(path)

    monkeypatch.setattr(store, "names", spy)
    patient.later(1.5)
    assert folder not in listed


def test_folders_that_are_as_before_are_not_scheduled_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wakeup = Wakeup()
    folders = {str(tmp_path), f"{tmp_path}/a"}
    wakeup.watch(folders)
    scheduled: list[bool] = []
    monkeypatch.setattr(wakeup, "_schedule_all", lambda: scheduled.append(True))
    wakeup.watch(folders)
    assert scheduled == []
    (tmp_path / "a").mkdir()
    wakeup.watch(folders)
    assert scheduled == [True]
    wakeup.watch({str(tmp_path)})
    assert scheduled == [True, True], "one is let go"


# --- facts


def test_facts_in_a_folder_that_has_not_changed_are_not_looked_at(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.hook(event("UserPromptSubmit", prompt="x"))
    folder = f"{world.scene.state}/facts"
    os.utime(folder, (1000, 1000))
    facts = FactFiles(world.scene.state)
    assert facts.read() == {SESSION}
    with monkeypatch.context() as patch:
        stats = counted_stats(patch)
        assert facts.read() == set()
    assert stats == [folder]
    world.hook(event("Stop", background_tasks=[]))
    assert facts.read() == {SESSION}


def test_facts_that_come_in_the_moment_of_a_look_are_seen_by_the_next(world: World) -> None:
    """Two changes in one tick of the disk's clock leave the same time."""
    world.hook(event("UserPromptSubmit", prompt="x"))
    facts = FactFiles(world.scene.state)
    facts.read()
    folder = f"{world.scene.state}/facts"
    before = os.stat(folder)
    world.hook(event("Stop", background_tasks=[]))
    os.utime(folder, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert facts.read() == {SESSION}


# --- processes


class Table:
    """So many processes, and a count of those that were looked at."""

    def __init__(self, number: int) -> None:
        self.there = {pid: Proc(pid, 1, "5", 5.0, "claude") for pid in range(1, number + 1)}
        self.asked: list[int] = []

    def row(self, pid: int) -> Proc | None:
        self.asked.append(pid)
        return self.there.get(pid)

    def pids(self) -> list[int]:
        return list(self.there)

    def forget(self) -> None:
        self.asked.clear()


def look(probe: Probe, number: int) -> None:
    for pid in range(1, number + 1):
        probe.row(pid)


def test_among_many_processes_each_has_its_turn() -> None:
    number = 3 * AT_ONCE
    table = Table(number)
    probe = Probe(table)  # type: ignore[arg-type]
    look(probe, number)
    asked: list[set[int]] = []
    for _ in range(3):
        probe.tick(is_poll=True)
        look(probe, number)
        asked.append(set(table.asked))
    assert [len(one) for one in asked] == [AT_ONCE] * 3
    assert set().union(*asked) == set(table.there)


def test_few_processes_are_looked_at_each_time() -> None:
    table = Table(AT_ONCE)
    probe = Probe(table)  # type: ignore[arg-type]
    for _ in range(2):
        probe.tick(is_poll=True)
        look(probe, AT_ONCE)
        assert len(table.asked) == AT_ONCE


def test_a_process_that_is_no_longer_there_or_was_stopped_is_looked_at_out_of_turn() -> None:
    number = 3 * AT_ONCE
    table = Table(number)
    table.there[number - 1] = table.there[number - 1]._replace(stopped=True)
    probe = Probe(table)  # type: ignore[arg-type]
    look(probe, number)
    del table.there[number]
    probe.tick(is_poll=True)
    look(probe, number)
    assert {number, number - 1} <= set(table.asked)
    assert probe.row(number) is None


def test_only_a_poll_goes_by_what_was_found_before() -> None:
    number = 3 * AT_ONCE
    table = Table(number)
    probe = Probe(table)  # type: ignore[arg-type]
    look(probe, number)
    probe.tick()
    look(probe, number)
    assert len(table.asked) == number
