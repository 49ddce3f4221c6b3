"""A client that asks: a real process, its entry in a registry, and our hook that waits, in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Self

from answers import open_requests, record, word
from answers.word import Word
from support.builders import SESSION, event
from support.patience import PATIENCE_S, until
from support.project import PROJECT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from answers.request import Request

HOOK = [sys.executable, "-S", "-E", str(PROJECT / "answer_hook.py"), "claude"]
BASH: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "touch made", "description": "run it"}}
QUESTION: dict[str, Any] = {
    "tool_name": "AskUserQuestion",
    "tool_input": {
        "questions": [
            {"question": "Which colour?", "options": [{"label": "Red"}, {"label": "Green", "description": "calm"}]},
            {"question": "Which sizes?", "options": [{"label": "S"}, {"label": "L"}], "multiSelect": True},
        ]
    },
}


class Asking:
    def __init__(self, path: Path) -> None:
        self.home, self.config, self._stack = str(path / "state"), path / "config", ExitStack()
        (self.config / "sessions").mkdir(parents=True)
        os.mkdir(self.home, 0o700)
        self.client = self._start(["sleep", "3600"])
        self.says("waiting")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _start(self, argv: list[str], **more: Any) -> subprocess.Popen[bytes]:
        made = self._stack.enter_context(subprocess.Popen(argv, **more))
        self._stack.callback(made.kill)
        return made

    def says(self, status: str) -> None:
        """In the registry, from now on."""
        path = self.config / "sessions" / f"{self.client.pid}.json"
        entry = {"pid": self.client.pid, "sessionId": SESSION, "status": status, "statusUpdatedAt": time.time() * 1000}
        path.with_suffix(".new").write_text(json.dumps(entry))
        os.replace(path.with_suffix(".new"), path)

    @property
    def env(self) -> dict[str, str]:
        return {
            "HOME": str(self.config.parent), "PATH": os.environ["PATH"], "YOURTURN_HOME": self.home,
            "CLAUDE_CONFIG_DIR": str(self.config), "CLAUDE_PID": str(self.client.pid), "CLAUDE_CODE_ENTRYPOINT": "cli",
        }  # fmt: skip

    def hook(
        self,
        asked: dict[str, Any] | bytes = BASH,
        first: Callable[[], None] | None = None,
        env: dict[str, str] | None = None,
    ) -> subprocess.Popen[bytes]:
        """The hook, with this payload. `first`: what its process does before."""
        payload = asked if isinstance(asked, bytes) else json.dumps(event("PermissionRequest", **asked)).encode()
        surroundings = {**self.env, **(env or {})}
        argv = [HOOK[0], "-B", *HOOK[1:]] if first else HOOK
        pipe = subprocess.PIPE
        made = self._start(argv, env=surroundings, stdin=pipe, stdout=pipe, preexec_fn=first)
        assert made.stdin is not None
        made.stdin.write(payload)
        made.stdin.close()
        return made

    def open(self) -> Request:
        """The one request that is open, as soon as it is."""
        until(lambda: open_requests.requests(self.home), "a request")
        (found,) = open_requests.requests(self.home)
        return found

    def outcomes(self) -> list[str]:
        return [entry["outcome"] for entry in record.entries(self.home)]

    def left(self) -> list[str]:
        """The files of requests that are still there."""
        return sorted(os.listdir(f"{self.home}/open"))


def said(hook: subprocess.Popen[bytes]) -> bytes:
    """What it printed, after it has ended; it always ends well."""
    assert hook.stdout is not None
    words = hook.stdout.read()
    assert hook.wait(PATIENCE_S) == 0
    return words


def decision(hook: subprocess.Popen[bytes]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(said(hook))["hookSpecificOutput"]["decision"]
    return found


def send(asking: Asking, data: bytes, id_: str) -> None:
    fd = open_requests.writer(asking.home, id_)
    os.write(fd, data)
    os.close(fd)


def line(request: Request, **more: Any) -> bytes:
    answer = Word(id=request.id, tag="0" * 16, digest=request.digest(), deed=word.ALLOW, by="test")
    answer.__dict__.update(more)
    return word.encode(answer)
