"""`yourturn go` to an agent on another machine: a real sshd, a real tmux there, and real terminals here."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from contract.status import NEEDS_APPROVAL
from support.collecting import is_there
from support.command import yourturn
from support.needs import need
from support.other_machines import collector, host, put_host
from support.patience import until
from support.showing import Terminal, environ, just_now, terminal, watcher
from support.sshd import Sshd
from tools.pictures.screen import Screen

pytestmark = pytest.mark.skipif(sys.platform == "darwin", reason="no sshd of one's own")


class Box:
    """Another machine, where an agent waits in the second window of a tmux that nobody looks at."""

    def __init__(self, folder: Path, home: Path, sshd: Sshd) -> None:
        need("tmux")
        self.env = {"PATH": os.environ["PATH"], "HOME": str(folder), "LANG": "C.UTF-8", "TERM": "xterm"}
        self.socket = str(folder / "tmux")
        self.tmux("new-session", "-d", "-s", "other", "sleep 3600")
        pane = self.tmux("new-window", "-d", "-P", "-F", "#{pane_id}", "sleep 3600").strip()
        known = {"TMUX": f"{self.socket},1,0", "TMUX_PANE": pane}
        put_host(home, host("box", source=sshd.ssh), just_now("s1", NEEDS_APPROVAL, terminal=known))
        self.pane = pane

    def tmux(self, *words: str) -> str:
        argv = ["tmux", "-f", "/dev/null", "-S", self.socket, *words]
        return subprocess.run(argv, env=self.env, capture_output=True, text=True, check=True).stdout

    def is_shown(self) -> bool:
        """Whether a terminal shows the agent's pane."""
        return self.tmux("list-clients", "-F", "#{pane_id}").split() == [self.pane]

    def end(self) -> None:
        self.tmux("kill-server")


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    state = tmp_path / "state"
    with watcher(state), collector(state):
        yield state


@pytest.fixture
def box(tmp_path: Path, home: Path) -> Iterator[Box]:
    (tmp_path / "far").mkdir()
    with Sshd(tmp_path / "sshd") as sshd:
        made = Box(tmp_path / "far", home, sshd)
        yield made
        made.end()


@pytest.fixture
def shell(tmp_path: Path, home: Path) -> Iterator[Terminal]:
    (tmp_path / "t").mkdir()
    with terminal(home, tmp_path / "t") as made:
        yield made


def test_inside_tmux_a_new_window_shows_it(box: Box, shell: Terminal) -> None:
    shell.start(sys.executable, "-m", "yourturn", "go", "s1")
    until(box.is_shown, shell.screen)
    assert shell.tmux("list-windows", "-F", "#{window_name}").split()[-1] == "box"


def test_without_a_desktop_the_terminal_of_the_person_shows_it(box: Box, shell: Terminal) -> None:
    shell.start("env", "-u", "TMUX", "-u", "DISPLAY", sys.executable, "-m", "yourturn", "go", "s1")
    until(box.is_shown, shell.screen)
    assert len(shell.tmux("list-windows").splitlines()) == 1


TOP = ("env", "-u", "TMUX", "-u", "DISPLAY", sys.executable, "-m", "yourturn", "top")


def test_top_without_a_desktop_lends_its_terminal_to_it_and_comes_back(box: Box, shell: Terminal) -> None:
    shell.start(*TOP)
    shell.until("needs approval")
    shell.keys("Enter")
    until(box.is_shown, shell.screen)
    shell.until("[other]", gone="needs approval")
    shell.keys("x")  # is for the agent, and not the key of the view
    box.tmux("detach-client", "-s", "other")
    shell.until("needs approval", gone="[other]")
    shell.keys("q")
    shell.until("left with 0")
    assert len(shell.tmux("list-windows").splitlines()) == 1


def test_what_ssh_says_of_its_failure_stays_until_it_is_read(home: Path, shell: Terminal) -> None:
    known = {"TMUX": "/tmp/t,1,0", "TMUX_PANE": "%1"}
    put_host(home, host("box", source="ssh -p 1 127.0.0.1"), just_now("s1", NEEDS_APPROVAL, terminal=known))
    shell.start(*TOP)
    shell.until("needs approval")
    shell.keys("Enter")
    shell.until("refused", "Press Enter to go back.")
    shell.keys("C-c")
    shell.until("needs approval", gone="refused")
    shell.keys("q")
    shell.until("left with 0")


def test_on_a_desktop_a_new_window_shows_it(box: Box, home: Path, tmp_path: Path) -> None:
    need("Xvfb", "xterm")
    (tmp_path / "x").mkdir()
    with Screen(tmp_path / "x", environ(home, HOME=str(tmp_path / "x")), (800, 600)) as screen:
        done = yourturn(home, "go", "s1", "--json", DISPLAY=screen.env["DISPLAY"], TERMINAL="xterm")
        said = json.loads(done.stdout)
        assert (said["ok"], said["session_id"], said["host"]) == (True, "s1", "box"), done.stdout
        assert said["terminal"] == "a new window of xterm"
        until(box.is_shown)
        (client,) = box.tmux("list-clients", "-F", "#{client_pid}").split()
        box.tmux("detach-client", "-a")
        box.tmux("detach-client", "-s", "other")
        until(lambda: not is_there(int(client)))


def test_what_cannot_be_done_is_said(home: Path) -> None:
    put_host(home, host("dev", source="docker exec -i dev"), just_now("d1", terminal={"TMUX_PANE": "%1"}))
    put_host(home, host("box"), just_now("b1"))
    for target, words in {"d1": "docker exec -i dev", "b1": "To log in: ssh box"}.items():
        done = yourturn(home, "go", target)
        assert done.returncode == 1
        assert words in done.stderr
