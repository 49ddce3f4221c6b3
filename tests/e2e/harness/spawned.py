"""Agents that a test starts through `yourturn spawn`, and what came of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from contract import paths
from e2e.harness.watched import ALL
from support.project import PROJECT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from e2e.harness.onlooker import Sample
    from e2e.harness.watched import Watched

COMMAND = [sys.executable, str(PROJECT / "yourturn.py")]


def describe(watched: Watched, **keys: Any) -> None:
    folder = Path(watched.states[ALL]) / "agents"
    folder.mkdir(parents=True, exist_ok=True)
    values = {"program": watched.program, **keys}
    (folder / "worker.toml").write_text("".join(f"{key} = {json.dumps(value)}\n" for key, value in values.items()))


def run(watched: Watched, *words: str, prompt: str) -> dict[str, Any]:
    env = watched.home.environment(watched.api.url, {**watched.hook_env, "PATH": os.environ["PATH"]})
    argv = [*COMMAND, "spawn", "--json", "--agent", "worker", *words]
    done = subprocess.run(
        argv, input=prompt, env=env, cwd=watched.home.project, capture_output=True, text=True, check=False
    )
    assert done.stdout, done.stderr
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return {**told, "code": done.returncode}


def ends(watched: Watched) -> list[tuple[str, str]]:
    audit = [json.loads(line) for line in Path(paths.audit(watched.states[ALL])).read_text().splitlines()]
    return [(line["outcome"], line["reason"]) for line in audit if line["verb"] == "end"]


def lights(samples: Sequence[Sample], session: str) -> Iterator[str]:
    """Each state of the session in turn, '' while it is not shown."""
    before = ""
    for sample in samples:
        now = next((one["status"] for one in sample.sessions if one["session_id"] == session), "")
        if now != before:
            yield now
        before = now
