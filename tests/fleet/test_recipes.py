"""The recipes of docs/MACHINES.md for ssh and for a container, run as they are written there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from contract.status import WORKING
from support.project import PROJECT
from support.showing import environ, just_now, put, watcher
from support.sshd import Sshd

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from support.collecting import Here

pytestmark = pytest.mark.series  # with `make test-clients`

PAGE = (PROJECT / "docs/MACHINES.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"```sh\n(.*?)```", re.DOTALL)
VENV = os.path.dirname(sys.executable)
# What `docker exec -i NAME WORDS…` does, without an engine: the words run in another home.
DOCKER = """#!/bin/sh
[ "$1 $2 $3" = "exec -i dev" ] || exit 125
shift 3
exec env -i -C {home} HOME={home} PATH={path} YOURTURN_NO_WATCHER=1 "$@"
"""


def lines(heading: str) -> list[str]:
    """Each command of a section, as it stands there."""
    section = PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    found = [line for block in BLOCK.findall(section) for line in block.splitlines() if line.startswith("yourturn ")]
    assert found, heading
    return found


class Shell:
    """A person's shell with programs of the test first on its PATH."""

    def __init__(self, here: Here, folder: Path) -> None:
        self.here, self.tools = here, folder / "bin"
        self.tools.mkdir()

    def program(self, name: str, text: str) -> None:
        path = self.tools / name
        path.write_text(text)
        path.chmod(0o755)

    def types(self, line: str) -> str:
        env = environ(self.here.home, PATH=f"{self.tools}:{VENV}:{os.environ['PATH']}", YOURTURN_NO_WATCHER="0")
        done = subprocess.run(["sh", "-c", line], env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{line}: {done.stderr}"
        return done.stdout


@pytest.fixture
def shell(here: Here, tmp_path: Path) -> Iterator[Shell]:
    with watcher(here.home):
        yield Shell(here, tmp_path)


def furnished(home: Path) -> list[Path]:
    """A home with the settings of a client; what is in it."""
    (home / ".claude").mkdir(parents=True)
    (home / ".claude" / "settings.json").write_text("{}\n")
    return sorted(home.rglob("*"))


def test_two_laptops_and_a_server_over_ssh(shell: Shell, here: Here, tmp_path: Path) -> None:
    server, laptop = tmp_path / "server", tmp_path / "laptop"
    before = furnished(server)
    put(laptop / ".local/state/yourturn", just_now("s1", WORKING, cwd="/p/site"))
    added, also, listed, shown, removed, last = lines("Two laptops and a server, over ssh")
    known = {"PATH": f"{VENV}:/usr/bin:/bin", "YOURTURN_NO_WATCHER": "1"}
    there = Sshd(tmp_path / "a", env={"HOME": str(server), **known})
    other = Sshd(tmp_path / "b", env={"HOME": str(laptop), **known})
    with there, other, watcher(laptop / ".local/state/yourturn"):
        config = tmp_path / "ssh_config"
        config.write_text(
            (there.folder / "ssh_config").read_text().replace("Host box", "Host server")
            + (other.folder / "ssh_config").read_text().replace("Host box", "Host laptop")
        )
        shell.program("ssh", f'#!/bin/sh\nexec /usr/bin/ssh -F {config} "$@"\n')
        assert "Added server: yourturn" in shell.types(added)
        shell.types(also)
        here.shows("s1@laptop")
        here.hosts()
        assert {line.split()[0] for line in shell.types(listed).splitlines()} == {"server", "laptop"}
        assert "laptop:site" in shell.types(shown)
        shell.types(removed)
        assert sorted(server.rglob("*")) == before
        shell.types(last)
    assert here.hosts() == {}


def test_a_dev_container(shell: Shell, here: Here, tmp_path: Path) -> None:
    """Without an engine: a program of that name runs the words in another home."""
    home = tmp_path / "container"
    before = furnished(home)
    shell.program("docker", DOCKER.format(home=home, path=f"{VENV}:/usr/bin:/bin"))
    added, shown, removed = lines("A dev container")
    assert "Added dev: yourturn" in shell.types(added)
    here.hosts()
    shell.types(shown)
    shell.types(removed)
    assert sorted(home.rglob("*")) == before
    assert here.hosts() == {}
