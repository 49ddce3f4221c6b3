"""A watch that looks when it is told to, over real files and real processes."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from contract.facts import Stamp
from recorder.receive import keep
from support.builders import SESSION
from watcher.clock import BOOT
from watcher.loop import Watch
from watcher.rules.law import resolve

if TYPE_CHECKING:
    import subprocess

    import pytest

    from support.watching import Scene
    from watcher.rules.evidence import Evidence
    from watcher.rules.verdict import Verdict

OTHER = "11111111-2222-3333-4444-555555555555"


class World:
    """A state folder, a transcript and a watch that looks when it is told to."""

    def __init__(self, scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
        self.scene, self.shift, self.passed = scene, 0.0, 0.0
        wall = time.time
        monkeypatch.setattr(time, "time", lambda: wall() + self.shift)
        self.project = scene.home / ".claude" / "projects" / "-home-me-proj"
        self.project.mkdir(parents=True)
        self.watch = Watch(scene.state, {"HOME": str(scene.home)})
        self.client = scene.client()

    def hook(self, payload: dict[str, Any], client: subprocess.Popen[bytes] | None = None, **terminal: str) -> None:
        payload = {**payload, "transcript_path": str(self.transcript(payload["session_id"]))}
        stamp = Stamp((time.time() + self.passed, time.clock_gettime(BOOT) + self.passed))
        env = {"CLAUDE_PID": str((client or self.client).pid), "CLAUDE_CODE_ENTRYPOINT": "cli", **terminal}
        Path(self.scene.state, "facts").mkdir(exist_ok=True)
        keep(self.scene.state, env, payload, stamp)

    def transcript(self, session: str = SESSION) -> Path:
        return self.project / f"{session}.jsonl"

    def line(self, kind: str, content: Any = "", **more: Any) -> None:
        at = datetime.fromtimestamp(time.time(), UTC).isoformat().replace("+00:00", "Z")
        message = {"role": kind, "content": content, "stop_reason": None}
        with self.transcript().open("a") as file:
            file.write(json.dumps({"type": kind, "timestamp": at, "message": message, "uuid": "u", **more}) + "\n")

    def shows(self, session: str = SESSION) -> str:
        self.watch.look_at_all()
        return self.scene.status(session)


class Patient:
    """A world in which time goes by without anything happening."""

    def __init__(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        self.world, self.judged = world, 0
        tick = world.watch.clock.tick

        def counted(evidence: Evidence) -> dict[str, Verdict]:
            self.judged += 1
            return resolve(evidence)

        monkeypatch.setattr(world.watch.clock, "tick", lambda: tick() + world.passed)
        monkeypatch.setattr("watcher.sessions.session.resolve", counted)

    def later(self, seconds: float) -> bool:
        """Whether a poll after so many seconds more judges the session."""
        self.world.passed += seconds
        before = self.judged
        self.world.watch.look_at_all()
        return self.judged > before
