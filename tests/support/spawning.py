"""Agents that tests spawn for real, below a state folder of their own; what is left of them is ended by identity."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from agency import registration
from contract import facts, paths
from processes.ending import Hold
from support.command import YOURTURN
from support.patience import until
from support.project import PROJECT
from support.showing import environ

if TYPE_CHECKING:
    from agency.registration import Spawned
    from contract.facts import Fact

DOOR = "read line < {door}"  # an agent that ends when somebody writes into its pipe


class Bureau:
    """Spawns through the real command. Agents end when the test opens their doors, or with the test."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.home = folder, folder / "state"
        self.env = environ(self.home)
        self._seen: dict[str, Spawned] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.living()
        for agent in self._seen.values():
            for pid, start in ((agent.keeper, agent.keeper_start), (agent.pid, agent.start)):
                with Hold(pid, start) as process:
                    process.send(signal.SIGKILL)

    def run(self, *words: str, stdin: str = "", **env: str) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [*YOURTURN, *words],
            input=stdin, capture_output=True, text=True, env={**self.env, **env}, cwd=PROJECT, check=False,
        )  # fmt: skip
        self.living()
        return done

    def start(self, *words: str, **env: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [*YOURTURN, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**self.env, **env},
            cwd=PROJECT,
        )  # fmt: skip

    def spawn(self, *words: str, **env: str) -> Spawned:
        """One that must start."""
        done = self.run("spawn", "--json", *words, **env)
        assert done.returncode == 0, done.stdout + done.stderr
        told = json.loads(done.stdout)
        found = self._seen.get(told["session"])
        assert found, "it ended before it could be looked at"
        return found

    def waiting(self, name: str = "waiter", *words: str, **env: str) -> Spawned:
        """One that runs until the test ends it or opens its door."""
        return self.spawn("--name", name, *words, "--", "sh", "-c", DOOR.format(door=self.door(name)), **env)

    def door(self, name: str) -> str:
        path = self.folder / f"door-{name}"
        if not path.exists():
            subprocess.run(["mkfifo", str(path)], check=True)
        return str(path)

    def open(self, name: str) -> None:
        """It goes on, and ends."""
        Path(self.door(name)).write_text("go\n", encoding="utf-8")

    def living(self) -> list[str]:
        """The names of those that are registered and live."""
        found = registration.living(str(self.home))
        self._seen |= {agent.session: agent for agent in found}
        return sorted(agent.name for agent in found)

    def until_gone(self, name: str) -> None:
        until(lambda: name not in self.living(), f"the end of {name}")

    def fact(self, session: str) -> Fact | None:
        path = Path(paths.fact(str(self.home), session, "main"))
        return facts.decode(path.read_bytes()) if path.exists() else None

    def audit(self) -> list[tuple[str, str, str]]:
        """Verb, outcome and name of each line."""
        path = Path(paths.audit(str(self.home)))
        lines: list[dict[str, Any]] = (
            [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
        )
        return [(line["verb"], line["outcome"], line["target"]["name"]) for line in lines]

    def config(self, text: str) -> None:
        self.home.mkdir(parents=True, exist_ok=True)
        (self.home / "config.toml").write_text(text)

    def hook(self, name: str, script: str) -> Path:
        path = self.home / "hooks" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        return path

    def describe(self, name: str, text: str) -> Path:
        path = self.home / "agents" / f"{name}.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path
