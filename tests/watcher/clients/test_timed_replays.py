"""Recordings with times, through the code of the hook and the real loop, on a clock that runs as it did then.

A step also tells what the client wrote into its own files (`write`, `append`). This process stands for the client's;
`arguments` are those that the client was started with.
"""

from __future__ import annotations

import json
import os
import posix
import sys
import time
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import pytest

from contract.facts import Stamp
from recorder.receive import receive
from support.builders import facts_in
from support.recordings import GONE, TIMED, named, steps
from support.watching import started
from watcher.clock import BOOT, Clock
from watcher.loop import Watch

if TYPE_CHECKING:
    from pathlib import Path

    from support.watching import Scene

SLEEP = "import time; time.sleep(600)"
ECHO_S = 0.15  # later than what is told twice at once


class Recorded(Clock):
    """Goes on by itself as little as a recording does."""

    def __init__(self, wall: float) -> None:
        super().__init__()
        self._begun = self.now = time.clock_gettime(BOOT)
        self.offset = wall - self._begun

    def tick(self) -> float:
        return self.now

    def go_to(self, at: float) -> Stamp:
        self.now = self._begun + at
        return Stamp((self.wall(self.now), self.now))


@pytest.mark.parametrize("recording", TIMED, ids=named)
def test_the_light_is_right_at_every_time(recording: Path, scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    assert played(recording, steps(recording), scene, monkeypatch) == [step["light"] for step in steps(recording)]


@pytest.mark.parametrize("recording", [path for path in TIMED if path.parent.name == "copilot"], ids=named)
def test_nothing_is_wrong_if_a_hook_in_claudes_settings_hears_it_too(
    recording: Path, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    echoes = [{**step, "at": step["at"] + ECHO_S, "by": "claude"} for step in steps(recording) if "payload" in step]
    both = sorted([*steps(recording), *({**echo, "write": {}, "append": {}} for echo in echoes)], key=itemgetter("at"))
    lights = played(recording, both, scene, monkeypatch)
    shown = [light for step, light in zip(both, lights, strict=True) if "by" not in step]
    assert shown == [step["light"] for step in steps(recording)]
    assert {fact.client_name for fact in facts_in(scene.home).values()} <= {"copilot"}


def played(recording: Path, script: list[dict[str, Any]], scene: Scene, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The light after each step."""
    client, clock, shown = recording.parent.name, Recorded(script[0]["wall"]), []
    env = {**scene.env, "YOURTURN_NO_WATCHER": "1", "COPILOT_CLI": "1"}
    program = [client, "-c", SLEEP, *script[0].get("arguments", ())]
    with started(program, executable=sys.executable) as process:
        monkeypatch.setattr(posix, "getppid", lambda: process.pid)
        watch = Watch(scene.state, scene.env, clock=clock)
        for step in script:
            stamp = clock.go_to(step["at"])
            lay_down(scene, step, process.pid)
            if "payload" in step:
                data = json.dumps(step["payload"]).encode()
                receive(scene.state, env, data, stamp, step.get("by", client))
            watch.look_at_all()
            shown.append(scene.status(step["session"]) or GONE)
    return shown


def lay_down(scene: Scene, step: dict[str, Any], pid: int) -> None:
    """A file is written in place, as by a client that cuts it."""
    for mode, key in (("w", "write"), ("a", "append")):
        for name, text in step.get(key, {}).items():
            path = scene.home / name.replace("@pid@", str(pid))
            os.makedirs(path.parent, exist_ok=True)
            with open(path, mode, encoding="utf-8") as file:
                file.write(text.replace("@pid@", str(pid)))
