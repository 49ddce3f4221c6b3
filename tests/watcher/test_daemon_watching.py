"""Since when nobody watched, as the watcher writes it down."""

import json
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from contract import paths, status
from contract.status import Heartbeat
from support.builders import event
from support.looking import World
from support.patience import PATIENCE_S, until
from support.watching import Scene
from watcher.daemon import Daemon


def noted(state: str) -> list[dict[str, Any]]:
    path = Path(paths.observations(state))
    lines = path.read_text().splitlines() if path.exists() else []
    return [entry for entry in map(json.loads, lines) if entry["kind"] == "watching"]


def test_after_a_kill_the_next_watcher_notes_the_last_heartbeat_of_the_one_before(scene: Scene) -> None:
    client = scene.client()
    scene.hook(client, event("UserPromptSubmit", prompt="x"))
    watcher = scene.watcher()
    scene.becomes("working")
    beat = until(scene.beat)
    watcher.send_signal(signal.SIGKILL)
    watcher.wait(PATIENCE_S)
    scene.watcher()
    until(lambda: len(noted(scene.state)) == 2)
    first, second = noted(scene.state)
    assert (first["by"], first["since"], first["rested"]) == ("start", 0.0, False)
    assert (second["by"], second["since"], second["rested"]) == ("start", round(beat.beat, 3), False)


def test_one_that_had_rested_leaves_word_of_it(world: World) -> None:
    last = Heartbeat(1, "", "", 5.0, mode=status.RESTING)
    Daemon(world.watch, predecessor=last)._begin()
    (only,) = noted(world.scene.state)
    assert (only["since"], only["rested"]) == (5.0, True)


@pytest.mark.parametrize(("jump", "told"), [(5.0, False), (25.0, False), (3600.0, True), (-3600.0, True)])
def test_a_watcher_that_slept_or_whose_clock_was_set_notes_it(world: World, jump: float, told: bool) -> None:
    daemon = Daemon(world.watch)
    daemon._beat(world.watch.clock.tick())
    before = daemon._beat_wall
    world.shift = jump
    daemon._beat(world.watch.clock.tick())
    after = daemon._beat_wall
    assert before is not None
    assert after is not None
    expected = [(round(after, 3), round(min(before, after), 3), "lapse")] if told else []
    assert [(entry["at"], entry["since"], entry["by"]) for entry in noted(world.scene.state)] == expected
    assert abs(after - time.time()) < PATIENCE_S
