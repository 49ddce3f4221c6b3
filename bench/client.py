"""The real client in a long turn that halts now and then, against a scripted API that else answers at once."""

from __future__ import annotations

import subprocess
import sys
import time
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Self

from bench.place import PROJECT

sys.path.append(f"{PROJECT}/tests")

from e2e.harness.api import Api, Asked
from e2e.harness.home import Home
from e2e.harness.script import script, text, tool

if TYPE_CHECKING:
    from collections.abc import Mapping

    from e2e.harness.dialects import Dialect

PATIENCE_S = 120.0


class MissingError(Exception):
    """There is no client here, and why."""


def find() -> str:
    """Its program; installed by npm if it is not there yet."""
    found = subprocess.run([f"{PROJECT}/tools/client.sh"], capture_output=True, text=True, check=False)
    if found.returncode:
        raise MissingError(found.stderr.strip() or "tools/client.sh failed")
    return found.stdout.strip()


class Timed(Api):
    """Knows when it was asked for each step."""

    def __init__(self) -> None:
        super().__init__()
        self.at: list[float] = []

    def take(self, body: dict[str, Any], dialect: Dialect) -> Asked:
        self.at.append(time.perf_counter())
        return super().take(body, dialect)


class Client:
    """In a home of its own, with these hooks. A context manager: a process from beginning to end."""

    def __init__(self, program: str, api: Timed, home: str, settings: dict[str, Any], env: Mapping[str, str]) -> None:
        self._home, self._api = Home.make(home, settings), api
        self._turns = self._done = 0
        self._argv = [program, "-p", "--allowedTools", "Read"]
        self._env = self._home.environment(api.url, env)
        with open(f"{self._home.project}/small.txt", "w", encoding="utf-8") as file:
            file.write("hello\n")

    def halts(self, often: int, calls: int) -> Self:
        """To be entered: before its first call, and so often again after so many calls."""
        self._turns, self._done = self._turns + 1, 0
        read = tool("Read", file_path=f"{self._home.project}/small.txt")
        steps = [step for k in range(often) for step in [{**read, "hold": self._halt(k)}, *[read] * (calls - 1)]]
        with open(f"{self._home.path}/prompt", "w", encoding="utf-8") as file:
            file.write(script(*steps, text("done", hold=self._halt(often))))
        return self

    def __enter__(self) -> Self:
        with open(f"{self._home.path}/prompt", "rb") as prompt:
            self._process = subprocess.Popen(
                self._argv,
                env=self._env,
                cwd=self._home.project,
                stdin=prompt,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        return self

    def __exit__(self, failed: object, *_: object) -> None:
        if failed:
            self._process.kill()
        self._api.release(self._halt(self._done))
        left = self._process.wait(PATIENCE_S)
        if left and not failed:
            raise SystemExit(f"bench: the client failed with {left}")

    def arrive(self) -> None:
        """At its next halt."""
        self._api.reached(self._halt(self._done), PATIENCE_S)

    def go_on(self) -> list[float]:
        """To the next halt; milliseconds from each question to the next one: a call and its hooks, no start."""
        self._api.at[:] = [time.perf_counter()]
        self._api.release(self._halt(self._done))
        self._done += 1
        self.arrive()
        return [(after - before) * 1000 for before, after in pairwise(self._api.at)]

    def _halt(self, number: int) -> str:
        return f"{self._home.path} {self._turns} {number}"
