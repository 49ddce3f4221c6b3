"""What real sessions of other clients told and wrote, through the real hook and the real loop: the light after each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from recorder.clients import CLIENTS
from support.recordings import GONE, RECORDINGS, UNTIMED, named, steps
from support.replayed import client_of
from watcher.loop import Watch

if TYPE_CHECKING:
    from pathlib import Path

    from support.watching import Scene


def test_every_other_client_has_recordings() -> None:
    assert {path.parent.name for path in RECORDINGS} == set(CLIENTS) - {"claude"}


@pytest.mark.parametrize("recording", UNTIMED, ids=named)
def test_the_light_is_right_after_each_event(recording: Path, scene: Scene) -> None:
    watch = Watch(scene.state, scene.env)
    shown, session = [], ""
    with client_of(recording, scene) as client:
        for step in steps(recording, str(scene.home)):
            client.play(step)
            told = step.get("payload", step)
            session = told.get("session_id") or told.get("session") or session
            watch.look_at([step["file"]]) if "line" in step else watch.look_at_all()
            shown.append(scene.status(session) or GONE)
    assert shown == [step["light"] for step in steps(recording)]
