"""Batches of tasks for `yourturn dispatch`, with real processes: what they print, and who of them still runs."""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import psutil

from agency import audit
from contract import paths
from processes.ending import Hold
from processes.identity import Identity, compare, start_of
from support.command import YOURTURN
from support.patience import until
from support.project import PROJECT
from support.showing import environ

if TYPE_CHECKING:
    from pathlib import Path

Task = str | dict[str, Any]


class Done(NamedTuple):
    code: int
    results: list[dict[str, Any]]
    stderr: str

    @property
    def by_id(self) -> dict[str, dict[str, Any]]:
        return {result["id"]: result for result in self.results}

    def outcomes(self) -> dict[str, str]:
        return {result["id"]: result["outcome"] for result in self.results}


class Batch:
    """Its tasks work in `folder`. Whoever of them is left at the end of the test is ended."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.home = folder, folder / "state"
        self.tasks = folder / "tasks"
        self.wrap: tuple[str, ...] = ()  # a command that runs the dispatcher
        self.noted: list[tuple[int, str]] = []  # pid and start of others that must not be left
        self._started: list[subprocess.Popen[str]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._started:
            process.kill()
        for pid, start in self.left():
            with contextlib.suppress(psutil.NoSuchProcess), Hold(pid, start) as hold:
                below = psutil.Process(pid).children(recursive=True)
                hold.send(signal.SIGKILL)
                for one in below:  # of a worker in a test that failed
                    one.kill()
        for process in self._started:
            process.wait()
            for stream in (process.stdin, process.stdout, process.stderr):  # a worker's child may still have them open
                assert stream is not None
                with contextlib.suppress(OSError):
                    stream.close()

    def write(self, *tasks: Task) -> None:
        lines = [task if isinstance(task, str) else json.dumps(task) for task in tasks]
        self.tasks.write_text("".join(line + "\n" for line in lines))

    def run(self, *words: str, given: str | None = None, **env: str) -> Done:
        process = self.start(*words, **env)
        return self.end(process, given)

    def start(self, *words: str, **env: str) -> subprocess.Popen[str]:
        """`words` begin with options; the file of tasks comes before them, unless they have one."""
        tasks = [] if "-" in words else [str(self.tasks)]
        argv = [*self.wrap, *YOURTURN, "dispatch", *tasks, *words, "--cwd", str(self.folder)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        process = subprocess.Popen(argv, cwd=PROJECT, env=environ(self.home, **env), **pipes)  # type: ignore[call-overload]
        self._started.append(process)
        return process  # type: ignore[no-any-return]

    def end(self, process: subprocess.Popen[str], given: str | None = None) -> Done:
        printed, complained = process.communicate(given)
        return Done(process.returncode, [json.loads(line) for line in printed.splitlines()], complained)

    def workers(self) -> dict[str, tuple[int, str]]:
        """By name: pid and start of all that were ever started."""
        found = (entry["target"] for entry in audit.entries(str(self.home)) if entry["verb"] == "spawn")
        return {target["name"]: (target["pid"], target["start"]) for target in found if target["pid"]}

    def left(self) -> list[tuple[int, str]]:
        """Who of them still runs: by pid and start, as nothing else tells it from a stranger."""
        return [one for one in {*self.workers().values(), *self.noted} if compare(*one) is not Identity.GONE]

    def note(self, name: str) -> int:
        """The process that writes its number into this file; it must not be left at the end."""
        path = self.folder / name
        pid = int(until(lambda: path.exists() and path.read_text().strip(), f"{name} is written"))
        self.noted.append((pid, start_of(pid) or ""))
        return pid

    def path(self, name: str) -> Path:
        return self.folder / name

    def appears(self, name: str) -> None:
        until(self.path(name).exists, f"{name} appears")

    def lines(self, name: str) -> list[str]:
        return self.path(name).read_text().split() if self.path(name).exists() else []

    def journals(self) -> list[Path]:
        return sorted((self.home / "dispatch").glob("*.jsonl"))

    def fact(self, name: str) -> str:
        """The path of the fact of a worker."""
        session = next(
            entry["target"]["session"]
            for entry in audit.entries(str(self.home))
            if entry["target"]["name"] == name and entry["verb"] == "spawn"
        )
        return paths.fact(str(self.home), session, paths.MAIN)


def appends(word: str, name: str = "ran") -> str:
    """A script that adds one word to a file: however many do so at once, none is lost."""
    return f"echo {word} >> {name}"


def until_there(name: str) -> str:
    return f"while [ ! -e {name} ]; do sleep 0.02; done"


def shell(script: str, **more: Any) -> dict[str, Any]:
    return {"command": ["sh", "-c", script], **more}
