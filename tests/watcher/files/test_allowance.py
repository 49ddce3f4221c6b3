"""Of transcripts a look reads so much and no more, and whoever waits gets its turn."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from support.builders import SESSION, ask, event
from support.looking import OTHER, World
from watcher.clients.claude.transcripts import Followed
from watcher.clock import Clock
from watcher.files import tail
from watcher.files.allowance import ALL, EACH, Allowance, Share

if TYPE_CHECKING:
    from pathlib import Path

MIB = 1 << 20
MOST = 14 * MIB  # what all may read, and five first sights that began in time: those are not cut off
BASH = {"command": "npm test"}


class Counted:
    """The system as the tail sees it, with a count of the bytes that were read."""

    def __init__(self) -> None:
        self.bytes = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)

    def pread(self, fd: int, size: int, offset: int) -> bytes:
        data = os.pread(fd, size, offset)
        self.bytes += len(data)
        return data

    def taken(self) -> int:
        bytes_, self.bytes = self.bytes, 0
        return bytes_


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Counted:
    made = Counted()
    monkeypatch.setattr(tail, "os", made)
    return made


def flood(path: Path, size: int) -> None:
    line = json.dumps({"type": "progress", "uuid": "u"}).encode() + b"\n"
    with path.open("ab") as file:
        for _ in range(size // MIB):
            file.write(line * (MIB // len(line) + 1))


def caught_up(world: World, disk: Counted) -> int:
    """The looks it takes."""
    looks = 0
    while world.watch._allowance.waiting:
        assert world.watch.rest(world.watch.clock.tick()) < 0.1, "it is due again at once"
        disk.taken()
        world.watch.look_at_restless()
        assert disk.taken() <= MOST
        looks += 1
    return looks


def test_a_transcript_that_jumps_does_not_keep_the_request_of_another_session(world: World, disk: Counted) -> None:
    world.hook(event("UserPromptSubmit", prompt="x"))
    world.line("user", "x")
    other = world.scene.client()
    world.hook(event("UserPromptSubmit", session_id=OTHER, prompt="y"), other)
    assert (world.shows(), world.shows(OTHER)) == ("working", "working")
    flood(world.transcript(), 12 * MIB)
    world.line("user", [{"type": "text", "text": "[Request interrupted by user]"}])
    disk.taken()
    world.watch.look_at([str(world.transcript())])
    assert 0 < disk.taken() <= MOST
    assert world.scene.status() == "working", "what is half read is not the present"
    world.hook({**ask(BASH), "session_id": OTHER}, other)
    world.watch.look_at([f"{world.scene.state}/facts/{OTHER}.main.json"])
    assert disk.taken() <= MOST
    assert world.scene.status(OTHER) == "needs_approval"
    assert world.scene.status() == "working"
    assert caught_up(world, disk) >= 12 * MIB // MOST
    assert world.scene.status() == "waiting", "once all is read, it is right"


def test_many_transcripts_that_jump_share_what_a_look_may_read(world: World, disk: Counted) -> None:
    clients = [world.scene.client() for _ in range(12)]
    names = [OTHER[:-2] + f"{k:02}" for k in range(12)]
    for name, client in zip(names, clients, strict=True):
        world.hook(event("UserPromptSubmit", session_id=name, prompt="x"), client)
        world.transcript(name).write_bytes(b'{"type":"progress"}\n')
    world.watch.look_at_all()
    caught_up(world, disk)
    for name in names:
        flood(world.transcript(name), 2 * MIB)
    disk.taken()
    world.watch.look_at_all()
    assert disk.taken() <= MOST
    caught_up(world, disk)
    assert {one.status for one in world.scene.statuses().values()} == {"working"}


def test_who_is_not_seen_yet_stands_as_an_earlier_watcher_told_of_it(
    world: World, disk: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    clients = [world.scene.client() for _ in range(3)]
    names = [OTHER[:-1] + str(k) for k in range(3)]
    for name, client in zip(names, clients, strict=True):
        world.hook(event("UserPromptSubmit", session_id=name, prompt="x"), client)
        flood(world.transcript(name), 3 * MIB)
    world.watch.look_at_all()
    caught_up(world, disk)
    told = world.scene.statuses()
    assert set(told) == set(names)
    monkeypatch.setattr("watcher.files.allowance.ALL", 1)
    again = World.__new__(World)
    again.scene, again.watch = world.scene, type(world.watch)(world.scene.state, {"HOME": str(world.scene.home)})
    again.watch.look_at_all()
    assert len(again.watch._unseen) == 2
    stand = world.scene.statuses()
    assert set(stand) == set(names)
    # The one that was seen is told anew, by a clock that was read anew.
    assert all(stand[name] == told[name] for name in again.watch._unseen)
    caught_up(again, disk)
    assert set(world.scene.statuses()) == set(names)
    assert not again.watch._unseen


def test_what_grows_faster_than_it_is_read_counts_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / f"{SESSION}.jsonl"
    prompt = {"type": "user", "timestamp": "2026-11-17T02:00:00.000Z", "message": {"role": "user", "content": "x"}}
    path.write_bytes(b"{}\n")
    followed, clock = Followed(str(path), sidechain=False), Clock()
    followed.look(clock.tick(), clock)
    with path.open("ab") as file:
        file.write(json.dumps({**prompt, "uuid": "u"}).encode() + b"\n")
    for _ in range(4):
        flood(path, MIB)
        followed.look(clock.tick(), clock, EACH)
        assert followed.is_behind
    assert followed.turn.open


# --- the allowance


def test_who_waits_gets_its_turn_before_those_who_come_again() -> None:
    allowance = Allowance()
    greedy = [Share(allowance, f"greedy {k}") for k in range(30)]
    patient, turns = Share(allowance, "patient"), 0
    for _ in range(10):
        allowance.begin()
        for share in [*greedy, patient]:
            if portion := share.portion():
                share.spend(portion)
                turns += share is patient
            share.ask_again(is_behind=True)
    assert turns >= 1


def test_a_look_spends_what_there_is_and_no_more() -> None:
    allowance = Allowance()
    spent = 0
    for _ in range(2):
        allowance.begin()
        spent = 0
        for share in [Share(allowance, str(k)) for k in range(100)]:
            spent += share.portion()
            share.spend(share.portion())
            share.ask_again(is_behind=True)
        assert spent == ALL


def test_who_has_read_all_waits_no_longer() -> None:
    allowance = Allowance()
    Share(allowance, "a").ask_again(is_behind=True)
    assert allowance.waiting == ["a"]
    Share(allowance, "a").ask_again(is_behind=False)
    assert allowance.waiting == []
