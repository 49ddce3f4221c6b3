"""The plugin in the real client: from its marketplace to a session that it records, and away again."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from contract import lack, paths, pulse, store
from e2e.harness.client import Client
from e2e.harness.folders import temporary_folder
from e2e.harness.home import Home
from e2e.harness.patience import PATIENCE_S, until
from e2e.harness.script import script, text
from support.builders import facts_in
from support.project import PROJECT
from support.pythons import find
from watcher import instance

if TYPE_CHECKING:
    from collections.abc import Iterator

    from e2e.harness.api import Api

ID = "yourturn@yourturn"
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", ".*_cache", ".hypothesis", "__pycache__", "tests", "docs")
OURS = [sys.executable, str(PROJECT / "yourturn.py")]
RUN = '#!/bin/sh\nexec {} "$@"\n'
OLDEST = "3.9"
ADDRESS = "https://git.invalid/yourturn.git"


class Machine:
    """A home, a PATH whose `python3` lacks our packages, and the project as somebody has downloaded it."""

    def __init__(self, folder: str, api: Api, program: str) -> None:
        self.api, self.program, self.root = api, program, Path(folder)
        self.home = Home.make(f"{folder}/home", {})
        self.state = str(Path(self.home.path) / "state")
        self.copy, self.bin = self.root / "copy", self.root / "bin"
        shutil.copytree(PROJECT, self.copy, ignore=LEFT_OUT)
        self.bin.mkdir()
        (self.bin / "python3").symlink_to(find(OLDEST) or Path(sys.executable).resolve())
        self.env = {"PATH": f"{self.bin}:/usr/bin:/bin", "YOURTURN_HOME": self.state}

    def as_git(self) -> str:
        """An address from which git clones the project without leaving this machine."""
        git = ["git", "-C", str(self.copy), "-c", "user.name=x", "-c", "user.email=x", "-c", "commit.gpgsign=false"]
        for words in (("init", "--quiet"), ("add", "--all"), ("commit", "--quiet", "--message", "x")):
            subprocess.run([*git, *words], check=True, env=self.environment)
        Path(self.home.path, ".gitconfig").write_text(f'[url "file://{self.copy}"]\n\tinsteadOf = {ADDRESS}\n')
        return ADDRESS

    @property
    def environment(self) -> dict[str, str]:
        return self.home.environment(self.api.url, self.env)

    def claude(self, *words: str) -> str:
        done = subprocess.run(
            [self.program, "plugin", *words], env=self.environment, cwd=self.home.project, capture_output=True,
            text=True, check=False, timeout=PATIENCE_S,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def yourturn(self, *words: str) -> subprocess.CompletedProcess[str]:
        env = {**self.environment, "YOURTURN_NO_WATCHER": "1"}
        return subprocess.run([*OURS, *words], env=env, capture_output=True, text=True, check=False)

    def checks(self) -> dict[str, tuple[str, str]]:
        told = json.loads(self.yourturn("doctor", "--json").stdout)
        return {check["name"]: (check["verdict"], check["seen"]) for check in told["checks"]}

    def makes_command(self, path: Path, *words: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(RUN.format(" ".join(words)))
        path.chmod(0o755)

    def client(self) -> Client:
        return Client(self.program, self.api.url, self.home, env=self.env)

    def status(self, session: str) -> str:
        told = json.loads(self.yourturn("status", "--json").stdout)
        return next((one["status"] for one in told["sessions"] if one["session_id"] == session), "")

    def end_watcher(self) -> None:
        beat = pulse.heartbeat(self.state)
        if beat and pulse.has_watcher(self.state):
            instance.end(beat)
            until(lambda: not pulse.has_watcher(self.state), PATIENCE_S)


@pytest.fixture
def machine(api: Api, client_program: str) -> Iterator[Machine]:
    with temporary_folder() as folder:
        made = Machine(folder, api, client_program)
        try:
            yield made
        finally:
            made.end_watcher()


def turn(agent: Client, words: str) -> None:
    agent.say(script(text(words)))
    agent.wait_for_words(words)
    agent.wait_for_status("idle")


def test_from_git_it_says_what_is_missing_and_works_once_that_is_there(machine: Machine) -> None:
    machine.claude("validate", "--strict", str(machine.copy))
    machine.claude("marketplace", "add", machine.as_git())
    machine.claude("install", ID)
    assert machine.checks()["hooks"] == ("ok", f"by the plugin {ID}")
    with machine.client() as agent:
        until(lambda: lack.read(machine.state), PATIENCE_S, lambda: str(machine.checks()))
        turn(agent, "first")
        agent.wait("UserPromptSubmit says: yourturn: events are recorded, but no watcher could be started")
        turn(agent, "second")
        assert agent.screen().count("says: yourturn") == 1
        assert "no watcher" not in json.dumps([asked.body for asked in machine.api.asked]), "the model was told"
        assert machine.checks()["watcher"][0] == "fail"
        assert set(facts_in(Path(machine.home.path))) == {"main"}

        machine.makes_command(machine.bin / "yourturn", *OURS)
        store.remove(paths.lack(machine.state))
        turn(agent, "third")
        until(lambda: machine.status(agent.session_id) == "waiting", PATIENCE_S, lambda: str(machine.checks()))
        assert machine.checks()["watcher"][0] == "ok"
        refused = machine.yourturn("install", "--yes")
        assert (refused.returncode, ID in refused.stderr) == (3, True)


def test_a_folder_with_its_own_environment_brings_its_watcher_and_leaves_nothing(machine: Machine) -> None:
    machine.makes_command(machine.copy / ".venv/bin/python", sys.executable)
    machine.claude("marketplace", "add", str(machine.copy))
    machine.claude("install", ID)
    with machine.client() as agent:
        turn(agent, "recorded")
        until(lambda: machine.status(agent.session_id) == "waiting", PATIENCE_S, lambda: str(machine.checks()))
        assert "says: yourturn" not in agent.screen()
        beat = pulse.heartbeat(machine.state)
        assert beat
        assert beat.program == (sys.executable, str(machine.copy / "yourturn.py"))

        machine.claude("uninstall", ID)
        (machine.copy / "hook.py").unlink()  # without the folder itself, the client complains
        turn(agent, "the hooks of this session are gone")
        assert "hook error" not in agent.screen()
    machine.end_watcher()
    kept = sorted(os.listdir(paths.fact_dir(machine.state)))
    with machine.client() as agent:
        turn(agent, "nobody listens")
        assert "hook error" not in agent.screen()
    assert sorted(os.listdir(paths.fact_dir(machine.state))) == kept
    assert not pulse.has_watcher(machine.state)
