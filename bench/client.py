"""The real client, for one turn at a time, against a scripted API that answers at once."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from bench.place import PROJECT

sys.path.append(f"{PROJECT}/tests")

from e2e.api import Api, Asked
from e2e.home import Home
from e2e.script import script, text, tool

if TYPE_CHECKING:
    from collections.abc import Mapping

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
    """Knows when it was asked for each step of a turn."""

    def __init__(self) -> None:
        super().__init__()
        self.at: list[float] = []

    def take(self, body: dict[str, Any]) -> Asked:
        if body.get("tools"):
            self.at.append(time.perf_counter())
        return super().take(body)


class Client:
    """One home for a client that comes and goes."""

    def __init__(self, program: str, api: Timed, path: str, settings: dict[str, Any], env: Mapping[str, str]) -> None:
        self.home = Home.make(path, settings)
        self._program, self._api = program, api
        self._env = self.home.environment(api.url, env)
        with open(f"{self.home.project}/small.txt", "w", encoding="utf-8") as file:
            file.write("hello\n")

    def turn(self, calls: int) -> list[float]:
        """Milliseconds from each question to the next one: a call and its hooks, and nothing of the start."""
        self._api.at.clear()
        steps = [tool("Read", file_path=f"{self.home.project}/small.txt")] * calls
        self._run("-p", "--allowedTools", "Read", "--", script(*steps, text("done")))
        assert len(self._api.at) == calls + 1, f"the client asked {len(self._api.at)} times"
        return [(after - before) * 1000 for before, after in pairwise(self._api.at)]

    def _run(self, *args: str) -> None:
        done = subprocess.run(
            [self._program, *args],
            env=self._env,
            cwd=self.home.project,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        if done.returncode:
            raise SystemExit(f"bench: the client failed with {done.returncode}: {done.stderr.strip()[:400]}")


def path_of(parent: str, name: str) -> str:
    """A folder name of a variant: short, because sockets lie below it."""
    return os.path.join(parent, "".join(c for c in name if c.isalnum())[:12])
