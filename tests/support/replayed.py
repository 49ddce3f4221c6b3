"""A client that does again what a recording tells: its hooks speak, and it writes to its transcripts."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from support.builders import HOOK
from support.recordings import steps

if TYPE_CHECKING:
    from collections.abc import Iterator

    from support.watching import Scene

DATES = ("timestamp", "startTime", "lastUpdated")  # what a line says of when it was written
HOST = "host.json"  # beside a recording whose hooks were started by a host: how that was called
HOSTS_CODE = """
import json, subprocess, sys
for line in sys.stdin:
    asked = json.loads(line)
    done = subprocess.run(asked["hook"], input=asked["data"].encode(), capture_output=True, env=asked["env"])
    print(json.dumps([done.returncode, done.stdout.decode(), done.stderr.decode()]), flush=True)
"""


class Replayed:
    """Its hooks are children of this process, or of one that is called as the host was."""

    def __init__(self, recording: Path, scene: Scene) -> None:
        self._hook, self._scene = [*HOOK, recording.parent.name], scene
        self._env = {**scene.env, "YOURTURN_NO_WATCHER": "1"}
        payloads = [step["payload"] for step in steps(recording, str(scene.home)) if "payload" in step]
        self._transcripts = {one["session_id"]: one["transcript_path"] for one in payloads if "transcript_path" in one}
        self.host: subprocess.Popen[str] | None = None

    def play(self, step: dict[str, Any]) -> None:
        """`line` was written to `file`, `wrote` to the transcript of its session; else a hook was told `payload`."""
        if "line" in step:
            self._write(step["file"], step["line"])
        elif "wrote" in step:
            self._write(self._transcripts[step["session"]], {"timestamp": "", **step["wrote"]})
        else:
            assert self._tell(json.dumps(step["payload"])) == [0, "", ""]

    def _tell(self, data: str) -> list[Any]:
        if self.host is None:
            done = subprocess.run(self._hook, input=data, capture_output=True, env=self._env, check=False, text=True)
            return [done.returncode, done.stdout, done.stderr]
        asked: IO[str] | None = self.host.stdin
        answered: IO[str] | None = self.host.stdout
        assert asked
        assert answered
        print(json.dumps({"hook": self._hook, "data": data, "env": self._env}), file=asked, flush=True)
        answer: list[Any] = json.loads(answered.readline())
        return answer

    def _write(self, path: str, line: dict[str, Any]) -> None:
        """As if it were written now: the hooks speak now, too."""
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        dated = {key: now if key in DATES else value for key, value in line.items()}
        with open(path, "a", encoding="utf-8") as file:
            file.write(json.dumps(dated, separators=(",", ":")) + "\n")


@contextmanager
def client_of(recording: Path, scene: Scene) -> Iterator[Replayed]:
    client = Replayed(recording, scene)
    if not (recording / HOST).exists():
        yield client
        return
    program, script = json.loads((recording / HOST).read_text())
    (scene.home / script).write_text(HOSTS_CODE)
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [program, script], executable=sys.executable, cwd=scene.home, stdin=pipe, stdout=pipe, text=True
    ) as client.host:
        assert client.host.stdin
        try:
            yield client
        finally:
            client.host.stdin.close()
