"""Workers that a test starts through `yourturn spawn --agent`, and what the audit says of them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil

from contract import paths
from e2e.harness.patience import PATIENCE_S, ended
from e2e.harness.watchers import ALL
from support.project import PROJECT

if TYPE_CHECKING:
    from e2e.agents.watched import WatchedAgents

COMMAND = [sys.executable, str(PROJECT / "yourturn.py")]


def spawn(watched: WatchedAgents, asked: str, *more: str, **keys: Any) -> dict[str, Any]:
    """What `spawn` says of it."""
    watched.ready()
    folder = Path(watched.states[ALL]) / "agents"
    folder.mkdir(parents=True, exist_ok=True)
    values = {"program": watched.program, "arguments": list(watched.kind.ARGUMENTS), **keys}
    (folder / "worker.toml").write_text("".join(f"{key} = {json.dumps(value)}\n" for key, value in values.items()))
    done = run(watched, "spawn", "--json", "--agent", "worker", "--name", "first", *more, asked=asked)
    assert done.stdout, done.stderr
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


def run(watched: WatchedAgents, *words: str, asked: str = "") -> subprocess.CompletedProcess[str]:
    """Our own command, in the environment that the client needs."""
    env, there = {**watched.environment, "YOURTURN_HOME": watched.states[ALL]}, watched.place.project
    argv = [*COMMAND, *words]
    return subprocess.run(
        argv, input=asked, env=env, cwd=there, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )


def audit(watched: WatchedAgents, verb: str) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in Path(paths.audit(watched.states[ALL])).read_text().splitlines()]
    return [line for line in lines if line["verb"] == verb]


def ends(watched: WatchedAgents) -> list[tuple[str, str]]:
    return [(line["outcome"], line["reason"]) for line in audit(watched, "end")]


def left(session: str) -> list[psutil.Process]:
    """What runs of a worker, whoever its parent is by now: all that it starts inherits its id."""
    return [one for one in psutil.process_iter() if _agent(one) == session and not ended(one)]


def _agent(process: psutil.Process) -> str:
    try:
        return process.environ().get("YOURTURN_AGENT", "")
    except psutil.Error:
        return ""
