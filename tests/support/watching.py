"""A real watcher process, and sessions for it to watch."""

from __future__ import annotations

import json
import os
import posix
import signal
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Any, Self

import psutil

from contract import paths, status, store
from support.builders import event, run_hook
from support.patience import until
from support.project import PROJECT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pytest

    from contract.status import Heartbeat, SessionStatus

WATCH = [sys.executable, str(PROJECT / "yourturn.py"), "watch"]
MAIN = "import sys, yourturn; sys.exit(yourturn.main())"


@contextmanager
def started(argv: list[str], **more: Any) -> Iterator[subprocess.Popen[bytes]]:
    """For a moment a new process still has the arguments of the one it was forked from."""
    with subprocess.Popen(argv, **more) as process:
        try:
            until(lambda: psutil.Process(process.pid).cmdline() == argv)
            yield process
        finally:
            process.kill()


def counted_stats(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths that are asked for by `stat` from now on."""
    found: list[str] = []
    real = os.stat

    def spy(path: Any, **more: Any) -> os.stat_result:
        found.append(path)
        return real(path, **more)

    monkeypatch.setattr(os, "stat", spy)
    monkeypatch.setattr(posix, "stat", spy)  # what the contract asks
    return found


class Scene:
    """A state folder, a client's folder, processes that stand for clients, and watchers."""

    def __init__(self, home: Path) -> None:
        self.home, self.state = home, str(home / "state")
        self._stack = ExitStack()
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "YOURTURN_HOME": self.state,
            "PYTHONWARNINGS": "error",
        }

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        beat = self.beat()
        self._stack.close()
        # One that a hook or a front end started. The number of one that ended may be a stranger's by now.
        if beat and store.is_locked(paths.watcher_lock(self.state)) and _start(beat.pid) == beat.start:
            os.kill(beat.pid, signal.SIGKILL)
            with suppress(ChildProcessError):  # it is no child of ours where a hook started it
                os.waitpid(beat.pid, 0)

    def client(self) -> subprocess.Popen[bytes]:
        """A process that stands for a client: it lives until it is killed."""
        return self._own(subprocess.Popen(["sleep", "600"]))

    def watcher(self, *args: str, prelude: str = "", **env: str) -> subprocess.Popen[bytes]:
        """`prelude` is code that runs first: it changes how often or how long, where a test would have to hurry."""
        argv = [sys.executable, "-c", f"{prelude}; {MAIN}", "watch"] if prelude else WATCH
        known = {**self.env, "PYTHONPATH": str(PROJECT), **env}
        return self._own(subprocess.Popen([*argv, *args], env=known, stderr=subprocess.PIPE))

    def hook(self, client: subprocess.Popen[bytes], payload: dict[str, Any], **env: str) -> None:
        done = run_hook(self.home, payload, **{"CLAUDE_PID": str(client.pid), **env})
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")

    def registry(self, client: subprocess.Popen[bytes], session: str, word: str | None, **more: Any) -> str:
        """What a client says of itself."""
        folder = self.home / ".claude" / "sessions"
        folder.mkdir(parents=True, exist_ok=True)
        now = int(time.time() * 1000)
        entry = {
            "pid": client.pid,
            "startedAt": now,
            "sessionId": session,
            "cwd": "/home/me/proj",
            "procStart": _start(client.pid),
        }
        entry |= {"kind": "interactive", "entrypoint": "cli", "name": "proj-1", "statusUpdatedAt": now, **more}
        path = folder / f"{client.pid}.json"
        path.write_text(json.dumps(entry | ({"status": word} if word else {})))
        return str(path)

    def beat(self) -> Heartbeat | None:
        data = _read(paths.heartbeat(self.state))
        return status.decode_heartbeat(data) if data else None

    def statuses(self) -> dict[str, SessionStatus]:
        found = [_read(f"{self.state}/status/{name}") for name in store.names(f"{self.state}/status")]
        return {one.session_id: one for data in found if data and (one := status.decode(data))}

    def status(self, session: str = event("Stop")["session_id"]) -> str:
        """What it shows; '' for a session that is not shown."""
        one = self.statuses().get(session)
        return one.status if one else ""

    def becomes(self, expected: str, **which: str) -> None:
        until(lambda: self.status(**which) == expected, lambda: f"{expected!r}; {self.statuses()}; {self.log()}")

    def polled(self, times: int = 2) -> None:
        """Until the watcher has looked at everything so often: each time it takes away what nobody vouches for."""
        stray = f"{self.state}/status/stray.json"
        for _ in range(times):
            store.replace(stray, b"{}")
            until(lambda: not os.path.exists(stray), lambda: f"a poll; {self.log()}")

    def log(self) -> str:
        return (_read(paths.watcher_log(self.state)) or b"").decode()

    def _own(self, process: subprocess.Popen[bytes]) -> subprocess.Popen[bytes]:
        def end() -> None:
            process.kill()
            process.communicate()

        self._stack.callback(end)
        return process


def _start(pid: int) -> str:
    """'' if it is gone."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[19]
    except FileNotFoundError:
        return ""


def _read(path: str) -> bytes | None:
    try:
        return store.read(path)
    except OSError:
        return None
