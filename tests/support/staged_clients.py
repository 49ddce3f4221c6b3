"""Processes that stand for clients and the commands below them, for tests that end them; none outlives its test."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Any, Self

import psutil

from contract import paths
from contract.facts import Fact, decode
from processes.ending import Hold
from processes.identity import Identity, compare, start_of
from support.builders import SESSION, event, run_hook
from support.command import yourturn
from support.patience import until

if TYPE_CHECKING:
    from pathlib import Path

# Each word is a command in a process session of its own, as the client starts them. Ready when all of them run.
CLIENT = """
import signal, subprocess, sys
how, *commands = sys.argv[1:]
if how == "deaf":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # whoever runs the tests under nohup ignores it
for command in commands:
    words = command.split() if command.startswith("sleep ") and ";" not in command else ["/bin/sh", "-c", command]
    subprocess.Popen(words, start_new_session=True, stdin=subprocess.DEVNULL)
print("ready", flush=True)
while True:
    signal.pause()
"""
Process = tuple[int, str]  # pid and start


class Stage:
    def __init__(self, home: Path) -> None:
        self.home, self.state = home, home / "state"
        self._stack, self._seen = ExitStack(), set[Process]()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for pid, start in self._seen:
            with Hold(pid, start) as hold:
                hold.send(signal.SIGKILL)
        self._stack.close()

    def start(self, argv: list[str], *, below: int = 0, **more: Any) -> subprocess.Popen[bytes]:
        """A process, once it has so many below it."""
        process = self._stack.enter_context(subprocess.Popen(argv, **more))
        self._seen.add(self.identity(process.pid))
        until(lambda: len(self.family(process.pid)) >= below, f"{below} processes")
        return process

    def client(self, *commands: str, how: str = "", below: int = -1, fact: bool = True) -> subprocess.Popen[bytes]:
        """With a real fact, as the hook writes it. `sleep` alone is one process, any other command a shell and more."""
        argv = [sys.executable, "-c", CLIENT, how, *commands]
        process = self.start(argv, stdout=subprocess.PIPE, below=len(commands) if below < 0 else below)
        assert process.stdout
        assert process.stdout.readline() == b"ready\n"
        if fact:
            self.hook(process.pid, event("UserPromptSubmit", prompt="x"))
        return process

    def hook(self, pid: int, payload: dict[str, Any]) -> None:
        done = run_hook(self.home, payload, CLAUDE_PID=str(pid))
        assert (done.returncode, done.stderr) == (0, b"")

    def family(self, pid: int) -> set[Process]:
        """All below it now; they end with the test."""
        with suppress(psutil.NoSuchProcess):
            found = {self.identity(one.pid) for one in psutil.Process(pid).children(recursive=True)}
            self._seen |= {one for one in found if one[1]}
        return {one for one in self._seen if one[0] != pid and is_there(one)}

    def identity(self, pid: int) -> Process:
        return pid, start_of(pid) or ""

    def fact(self, session: str = SESSION) -> Fact | None:
        path = paths.fact(str(self.state), session, paths.MAIN)
        if not os.path.exists(path):
            return None
        with open(path, "rb") as file:
            return decode(file.read())

    def kill(self, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
        return yourturn(self.state, "kill", *words, **env)


def is_there(process: Process) -> bool:
    return compare(*process) is Identity.SAME
