"""A client that we do not know: with an adapter and a line in the table it is judged by the same rules."""

import json
import time
from pathlib import Path

import pytest

import recorder.clients
from contract.facts import Stamp
from recorder.receive import receive
from support.watching import Scene
from watcher import clients
from watcher.clock import BOOT
from watcher.loop import Watch

THREAD = "parrot-1"
ASKS = {"kind": "ask", "thread": THREAD, "nut": "almond", "number": "n1", "perch": "/cage"}


class Polly:
    """A session of the made-up client, and a watch over it."""

    def __init__(self, scene: Scene) -> None:
        self.scene, self.pid = scene, scene.client().pid
        self.folder = scene.home / ".parrot"
        for name in ("running", "logs"):
            (self.folder / name).mkdir(parents=True)
        self.watch = Watch(scene.state, {"HOME": str(scene.home)})

    def lists_itself(self, status: str) -> None:
        (self.folder / "running" / str(self.pid)).write_text(f"{THREAD} {status} {time.time()}")

    def writes(self, word: str) -> None:
        with (self.folder / "logs" / f"{THREAD}.jsonl").open("a") as file:
            file.write(f"{time.time()} {word}\n")

    def works(self) -> None:
        self.writes("prompt")
        self.lists_itself("busy")
        assert self.shows() == "working"

    def tells(self, told: dict[str, str]) -> None:
        """What its hook hands on."""
        env = {"PARROT_PROCESS": str(self.pid), "YOURTURN_NO_WATCHER": "1"}
        stamp = Stamp((time.time(), time.clock_gettime(BOOT)))
        receive(self.scene.state, env, json.dumps(told).encode(), stamp, "parrot")

    def shows(self) -> str:
        self.watch.look_at_all()
        return self.scene.status(THREAD)


@pytest.fixture
def polly(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> Polly:
    monkeypatch.setitem(clients.CLIENTS, "parrot", "support.parrot_adapter")
    return Polly(scene)


def test_its_log_tells_when_a_turn_begins_ends_and_fails(polly: Polly) -> None:
    polly.lists_itself("idle")
    assert polly.shows() == "waiting"
    polly.works()
    polly.writes("done")
    polly.lists_itself("idle")
    assert polly.shows() == "waiting"
    polly.works()
    polly.writes("oops")
    polly.lists_itself("idle")
    assert polly.shows() == "waiting"
    status = polly.scene.statuses()[THREAD]

    assert (status.name, status.detail, status.rule) == ("polly", "error: oops", "turn-failed")
    assert status.client == "parrot"


def test_a_dialog_that_it_lists_needs_approval(polly: Polly) -> None:
    polly.writes("prompt")
    polly.lists_itself("waiting")
    assert polly.shows() == "needs_approval"


def test_a_change_of_its_files_is_seen_at_once(polly: Polly) -> None:
    polly.works()
    assert {f"{polly.folder}/running", f"{polly.folder}/logs"} <= polly.watch.folders
    polly.lists_itself("waiting")
    polly.watch.look_at([f"{polly.folder}/running/{polly.pid}"])
    assert polly.scene.status(THREAD) == "needs_approval"
    polly.lists_itself("idle")
    polly.writes("done")
    polly.watch.look_at([str(Path(polly.folder, "logs", f"{THREAD}.jsonl")), f"{polly.folder}/running/{polly.pid}"])
    assert polly.scene.status(THREAD) == "waiting"


def test_without_its_line_in_the_table_nobody_looks_there(polly: Polly, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(clients.CLIENTS, "parrot")
    polly.watch = Watch(polly.scene.state, {"HOME": str(polly.scene.home)})
    polly.lists_itself("waiting")
    assert polly.shows() == ""


def test_what_its_hooks_tell_is_judged_with_what_its_files_tell(
    polly: Polly, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(recorder.clients.CLIENTS, "parrot", "support.parrot")
    polly.works()
    polly.tells(ASKS)
    polly.lists_itself("waiting")
    assert polly.shows() == "needs_approval"
    assert polly.scene.statuses()[THREAD].detail == "beak: almond"


def test_a_client_that_only_the_hook_knows_is_judged_by_its_facts_alone(
    polly: Polly, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(recorder.clients.CLIENTS, "parrot", "support.parrot")
    monkeypatch.delitem(clients.CLIENTS, "parrot")
    polly.watch = Watch(polly.scene.state, {"HOME": str(polly.scene.home)})
    polly.tells(ASKS)
    assert polly.shows() == "needs_approval"
    assert polly.scene.statuses()[THREAD].client == "parrot"
