"""A real watcher over real facts, and the day that is drawn from what it wrote."""

import json
import signal
import time
from itertools import groupby, pairwise
from typing import Any

import pytest

from support.builders import SESSION, ask, call, event
from support.command import yourturn
from support.patience import PATIENCE_S
from support.watching import Scene

BASH = {"command": "npm test"}
# On a machine that has no time for it, a watcher would note that it did not watch for a while.
PATIENT = "import contract.pulse as pulse; pulse.SILENT_S = 3600.0"


def told(scene: Scene, *words: str) -> dict[str, Any]:
    """In a time zone in which it is about noon: a day must not end while it is tested."""
    done = yourturn(scene.home / "state", *words, "--json", TZ=f"NON{time.gmtime().tm_hour - 12:+d}")
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def states(found: dict[str, Any]) -> list[str]:
    """As far as they are known."""
    (session,) = found["sessions"]
    assert all(one["end"] == other["begin"] for one, other in pairwise(session["spans"]))
    known = [span["status"] for span in session["spans"] if span["status"] != "unknown"]
    return [state for state, _ in groupby(known)]


def test_a_day_has_what_a_real_watcher_saw_even_after_a_kill(scene: Scene) -> None:
    client = scene.client()
    scene.hook(client, event("SessionStart", source="startup"))
    watcher = scene.watcher(prelude=PATIENT)
    scene.becomes("waiting")
    scene.hook(client, event("UserPromptSubmit", prompt="x"))
    scene.becomes("working")
    scene.hook(client, call("PreToolUse", "t", given=BASH))
    scene.hook(client, ask(BASH))
    scene.becomes("needs_approval")
    scene.hook(client, call("PostToolUse", "t", given=BASH))
    scene.becomes("working")

    found, numbers = told(scene, "day"), told(scene, "stats")
    assert states(found) == ["waiting", "working", "needs_approval", "working"]
    (session,) = found["sessions"]
    assert (session["session_id"], session["project"]) == (SESSION, "proj")
    (block,) = session["blocks"]
    assert (block["ended"], found["waited_for"]["blocks"]) == ("answered", 1)
    assert (numbers["blocks"]["answered"], numbers["agents_at_once"]["agents"]) == (1, 1)
    assert numbers["answer_seconds"]["median"] == pytest.approx(block["end"] - block["begin"])

    watcher.send_signal(signal.SIGKILL)
    watcher.wait(PATIENCE_S)
    scene.hook(client, event("Stop", background_tasks=[]))
    scene.watcher(prelude=PATIENT)
    scene.becomes("waiting")
    assert states(told(scene, "day")) == ["waiting", "working", "needs_approval", "working", "waiting"]
    client.kill()
    client.wait()
    scene.becomes("")
    after = told(scene, "day")
    assert after["sessions"][0]["spans"][-1]["end"] < after["now"], "it is not drawn any longer than it lived"
