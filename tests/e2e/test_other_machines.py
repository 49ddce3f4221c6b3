"""An agent on another machine, over ssh: the real client, the hooks that were brought there, and the board here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from contract import paths
from contract.status import NEEDS_APPROVAL
from e2e.harness.client import Client
from e2e.harness.folders import temporary_folder
from e2e.harness.home import Home
from e2e.harness.patience import PATIENCE_S, until
from e2e.harness.script import bash, script, text
from statusbar.model import reader
from support.collecting import Here
from support.command import YOURTURN
from support.project import PROJECT
from support.showing import environ, watcher
from support.sshd import Sshd

if TYPE_CHECKING:
    from e2e.harness.api import Api

WITHIN_S = 1.0


def asks(state: str, *, elsewhere: bool = False) -> bool:
    return NEEDS_APPROVAL in {one.status for one in reader.read(state, hosts=elsewhere).sessions}


def written(folder: str) -> float:
    """When the one status in it was."""
    (file,) = os.scandir(folder)
    return file.stat().st_mtime


def test_what_an_agent_there_asks_for_is_known_here_at_once(api: Api, client_program: str, tmp_path: Path) -> None:
    with temporary_folder() as folder, Sshd(tmp_path / "sshd") as sshd, Here(tmp_path / "here") as here:
        home = Home.make(folder, {})
        settings = Path(home.config, "settings.json")
        before, there = settings.read_bytes(), f"{folder}/.local/state/yourturn"
        path = f"{os.path.dirname(sys.executable)}:/usr/bin:/bin"
        command = f"{sshd.ssh} env -i -C {folder} HOME={folder} PATH={path}"
        added = here.run("hosts", "add", "box", command, "--install", YOURTURN_NO_WATCHER="0")
        assert added.returncode == 0, added.stderr
        here.speaks("box")
        with watcher(here.home), Client(client_program, api.url, home) as agent:
            waits = [*YOURTURN, "wait", "--for", NEEDS_APPROVAL, "--json"]
            env = environ(here.home)
            with subprocess.Popen(waits, env=env, cwd=PROJECT, stdout=subprocess.PIPE, text=True) as waiting:
                agent.say(script(bash("touch x"), text("done")))
                until(lambda: asks(there), PATIENCE_S, lambda: f"no request:\n{agent.screen()}")
                until(lambda: asks(here.state, elsewhere=True), PATIENCE_S, here.log)
                took = written(f"{paths.host_dir(here.state, 'box')}/status") - written(paths.status_dir(there))
                ended, _ = waiting.communicate(timeout=PATIENCE_S)
            told = json.loads(here.run("status", "--json").stdout)
            assert waiting.returncode == 0
            agent.answer("Escape")
        assert [(one["host"], one["status"], one["cwd"]) for one in told["sessions"]] == [
            ("box", NEEDS_APPROVAL, home.project)
        ]
        assert [one["host"] for one in json.loads(ended)["targets"]] == ["box"]
        assert took < WITHIN_S, f"{took:.2f} s"
        removed = here.run("hosts", "remove", "box", "--uninstall")
        assert removed.returncode == 0, removed.stderr
        assert settings.read_bytes() == before
        assert not os.path.exists(there)
