"""The hooks of real sessions of other clients, through the real hook and the real loop: the light after each event."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from recorder.clients import CLIENTS
from support.builders import HOOK
from support.project import TESTS
from watcher.loop import Watch

if TYPE_CHECKING:
    from pathlib import Path

    from support.watching import Scene

RECORDINGS = [
    path.parent for name in sorted(CLIENTS) for path in sorted((TESTS / "replay" / name).glob("*/hooks.jsonl"))
]
GONE = "gone"


def steps(recording: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (recording / "hooks.jsonl").read_text().splitlines()]


def test_every_other_client_has_recordings() -> None:
    assert {path.parent.name for path in RECORDINGS} == set(CLIENTS) - {"claude"}


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_the_light_is_right_after_each_event(recording: Path, scene: Scene) -> None:
    watch = Watch(scene.state, scene.env)
    shown = []
    for step in steps(recording):
        hook = [*HOOK, recording.parent.name]
        data = json.dumps(step["payload"]).encode()
        done = subprocess.run(
            hook, input=data, capture_output=True, env={**scene.env, "YOURTURN_NO_WATCHER": "1"}, check=False
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
        watch.look_at_all()
        shown.append(light(scene, step["payload"]))
    assert shown == [step["light"] for step in steps(recording)]


def light(scene: Scene, payload: dict[str, Any]) -> str:
    return scene.status(payload.get("session_id") or payload["session"]) or GONE
