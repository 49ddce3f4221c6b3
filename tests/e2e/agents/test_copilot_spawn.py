"""Copilot CLI as a worker that is started through us."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from contract import paths
from contract.status import NEEDS_APPROVAL, WORKING
from e2e.agents.clients.copilot import shell
from e2e.harness.patience import PATIENCE_S, until
from e2e.harness.script import play, text
from e2e.harness.watchers import ALL
from support.project import PROJECT

if TYPE_CHECKING:
    from e2e.agents.conftest import Watch
    from e2e.agents.watched import WatchedAgents

COMMAND = [sys.executable, str(PROJECT / "yourturn.py")]


@pytest.fixture
def watched(watch: Watch) -> WatchedAgents:
    return watch("copilot")


def spawned(watched: WatchedAgents, asked: str, **keys: Any) -> dict[str, Any]:
    """What `spawn` says of it."""
    watched.ready()
    folder = Path(watched.states[ALL]) / "agents"
    folder.mkdir(parents=True, exist_ok=True)
    values = {"program": watched.program, **keys}
    (folder / "worker.toml").write_text("".join(f"{key} = {json.dumps(value)}\n" for key, value in values.items()))
    argv = [*COMMAND, "spawn", "--json", "--agent", "worker", "--name", "first"]
    env = {**watched.environment, "YOURTURN_HOME": watched.states[ALL]}
    done = subprocess.run(
        argv,
        input=asked,
        env=env,
        cwd=watched.place.project,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.stdout, done.stderr
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


def ends(watched: WatchedAgents) -> list[tuple[str, str]]:
    audit = [json.loads(line) for line in Path(paths.audit(watched.states[ALL])).read_text().splitlines()]
    return [(line["outcome"], line["reason"]) for line in audit if line["verb"] == "end"]


def test_a_worker_has_one_row_of_our_choice_and_may_use_what_is_on_its_list_only(watched: WatchedAgents) -> None:
    watched.api.scripts["one"] = [shell("touch made"), shell("mkdir other"), text("All done.", hold="answer")]
    told = spawned(watched, play("one"), allow=["Bash(touch:*)"], prompt="You touch files.")
    watched.reached("answer")
    until(lambda: watched.sessions() == {told["session"]}, PATIENCE_S, watched.story)
    assert watched.seen()[-1].sessions[0]["status"] == WORKING
    assert os.path.exists(f"{watched.place.project}/made")
    assert not os.path.exists(f"{watched.place.project}/other")
    watched.release("answer")
    until(lambda: ends(watched) == [("completed", "completed")], PATIENCE_S, watched.story)
    until(lambda: not watched.sessions(), PATIENCE_S, watched.story)
    assert all(one.status != NEEDS_APPROVAL for sample in watched.seen() for one in sample.everything)
