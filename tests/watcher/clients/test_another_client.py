"""A client that we do not know: with an adapter and a line in the table it is judged by the same rules."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.watching import Scene
from watcher import clients
from watcher.loop import Watch

THREAD = "toy-1"


class Toy:
    """A session of the made-up client, and a watch over it."""

    def __init__(self, scene: Scene) -> None:
        self.scene, self.pid = scene, scene.client().pid
        self.folder = scene.home / ".tinybot"
        for name in ("running", "logs"):
            (self.folder / name).mkdir(parents=True)
        self.watch = Watch(scene.state, {"HOME": str(scene.home)})

    def lists_itself(self, status: str) -> None:
        (self.folder / "running" / str(self.pid)).write_text(f"{THREAD} {status} {time.time()}")

    def writes(self, word: str) -> None:
        with (self.folder / "logs" / f"{THREAD}.jsonl").open("a") as file:
            file.write(f"{time.time()} {word}\n")

    def shows(self) -> str:
        self.watch.look_at_all()
        return self.scene.status(THREAD)


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Toy]:
    monkeypatch.setitem(clients.CLIENTS, "tinybot", "support.tinybot")
    with Scene(tmp_path) as scene:
        yield Toy(scene)


def test_its_log_tells_when_a_turn_begins_ends_and_fails(toy: Toy) -> None:
    toy.lists_itself("idle")
    assert toy.shows() == "waiting"
    toy.writes("prompt")
    toy.lists_itself("busy")
    assert toy.shows() == "working"
    toy.writes("done")
    toy.lists_itself("idle")
    assert toy.shows() == "waiting"
    toy.writes("prompt")
    toy.lists_itself("busy")
    assert toy.shows() == "working"
    toy.writes("oops")
    toy.lists_itself("idle")
    assert toy.shows() == "waiting"
    status = toy.scene.statuses()[THREAD]

    assert (status.name, status.detail, status.rule) == ("toy", "error: oops", "turn-failed")


def test_a_dialog_that_it_lists_needs_approval(toy: Toy) -> None:
    toy.writes("prompt")
    toy.lists_itself("waiting")
    assert toy.shows() == "needs_approval"


def test_a_change_of_its_files_is_seen_at_once(toy: Toy) -> None:
    toy.writes("prompt")
    toy.lists_itself("busy")
    assert toy.shows() == "working"
    assert {f"{toy.folder}/running", f"{toy.folder}/logs"} <= toy.watch.folders
    toy.lists_itself("waiting")
    toy.watch.look_at([f"{toy.folder}/running/{toy.pid}"])
    assert toy.scene.status(THREAD) == "needs_approval"
    toy.lists_itself("idle")
    toy.writes("done")
    toy.watch.look_at([str(Path(toy.folder, "logs", f"{THREAD}.jsonl")), f"{toy.folder}/running/{toy.pid}"])
    assert toy.scene.status(THREAD) == "waiting"


def test_without_its_line_in_the_table_nobody_looks_there(toy: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(clients.CLIENTS, "tinybot")
    toy.watch = Watch(toy.scene.state, {"HOME": str(toy.scene.home)})
    toy.lists_itself("waiting")
    assert toy.shows() == ""
