"""This machine with a real collector, and other machines that stand for real ones: another home, or a small script."""

from __future__ import annotations

import shlex
import signal
import subprocess
import sys
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Self

import psutil

from contract import hosts, paths, store
from statusbar.model import reader
from support.command import yourturn
from support.patience import until
from support.project import PROJECT
from support.showing import environ

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from contract.hosts import Host
    from contract.status import SessionStatus
    from statusbar.model.snapshot import Statuses

MAIN = "import sys, yourturn; sys.exit(yourturn.main())"


def far(home: Path) -> str:
    """The command that reaches a machine whose state folder is this one."""
    return f"env YOURTURN_HOME={shlex.quote(str(home))} YOURTURN_NO_WATCHER=1"


def script(path: Path, code: str) -> str:
    """The command that runs this Python instead of whatever it is asked to run."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"import json, os, signal, sys, time\n{code}\n")
    return shlex.join([sys.executable, "-u", str(path)])


class Here:
    """A state folder with hosts.toml in it; all that it starts ends with the test."""

    def __init__(self, home: Path) -> None:
        self.home, self.state = home, str(home)
        self.chosen = home / "hosts.toml"
        self._stack = ExitStack()
        store.private_folder(self.state)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()
        self.end_any()

    def looks_at(self, **commands: str) -> None:
        """Replaced at once, as `hosts add` does."""
        text = "".join(f"[{name}]\ncommand = {_toml(command)}\n" for name, command in commands.items())
        store.replace(str(self.chosen), text.encode())

    def collect(self, prelude: str = "", within: Sequence[str] = (), **env: str) -> subprocess.Popen[bytes]:
        """A collector of this test. `prelude` changes how long something takes, where a test would have to wait.

        `within`: the words before a command that put it into a network of its own.
        """
        argv = [*within, sys.executable, "-c", f"{prelude}; {MAIN}" if prelude else MAIN, "collect"]
        known = environ(self.home, PYTHONPATH=str(PROJECT), PYTHONWARNINGS="error", **env)
        process = subprocess.Popen(argv, env=known, cwd=PROJECT, stderr=subprocess.PIPE)

        def end() -> None:
            process.terminate()
            process.communicate()

        self._stack.callback(end)
        return process

    def run(self, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
        return yourturn(self.home, *words, **env)

    def end_any(self) -> None:
        """Also one that a front end has started."""
        beat = hosts.collector(self.state).heartbeat
        if not beat or not store.is_locked(paths.collector_lock(self.state)):
            return
        with suppress(psutil.NoSuchProcess):
            process = psutil.Process(beat.pid)
            process.send_signal(signal.SIGTERM)
            process.wait()

    def read(self) -> Statuses:
        return reader.read(self.state, hosts=True)

    def hosts(self) -> dict[str, Host]:
        return {host.name: host for host in self.read().hosts}

    def sessions(self) -> dict[str, SessionStatus]:
        return {session.session_id: session for session in self.read().sessions if session.host}

    def speaks(self, name: str) -> Host:
        return self._becomes(name, lambda host: host.speaks)

    def is_lost(self, name: str) -> Host:
        """Out of reach, for a reason that the line gave."""
        return self._becomes(name, lambda host: not host.reached and host.why != "it has not answered yet")

    def shows(self, *ids: str) -> None:
        until(lambda: set(self.sessions()) == set(ids), lambda: f"{ids}; {self.sessions()}; {self.hosts()}")

    def log(self) -> str:
        return (store.read(paths.collector_log(self.state)) or b"").decode()

    def _becomes(self, name: str, holds: Callable[[Host], bool]) -> Host:
        def found() -> Host | None:
            host = self.hosts().get(name)
            return host if host and holds(host) else None

        seen: Host = until(found, lambda: f"{name}; {self.hosts()}; {self.log()}")
        return seen


def lines_of(process_id: int) -> list[int]:
    """The commands that this collector runs now."""
    with suppress(psutil.NoSuchProcess):
        return [child.pid for child in psutil.Process(process_id).children()]
    return []


def is_there(pid: int) -> bool:
    with suppress(psutil.NoSuchProcess):
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    return False


def _toml(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
