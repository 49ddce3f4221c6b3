"""`yourturn go` on a real screen: windows of xterm and kitty that a real window manager brings to the front."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from contract.status import NEEDS_APPROVAL
from support.command import yourturn
from support.needs import need
from support.patience import PATIENCE_S, until
from support.project import PROJECT
from support.showing import environ, put, session
from tools.pictures.screen import Screen

pytestmark = pytest.mark.skipif(sys.platform == "darwin", reason="it has no X11")

# Writes down what the hook would record of the terminal, and stays.
AGENT = """
import json, os, sys, time
from recorder import surroundings
with open(sys.argv[1] + ".new", "w") as file:
    json.dump({"pid": os.getpid(), "terminal": surroundings.terminal(dict(os.environ), os.getpid())}, file)
os.replace(sys.argv[1] + ".new", sys.argv[1])
time.sleep(3600)
"""


class Windows(Screen):
    """A screen with a window manager."""

    def __init__(self, folder: Path, home: Path) -> None:
        env = environ(home, HOME=str(folder), XDG_RUNTIME_DIR=str(folder), XDG_CACHE_HOME=str(folder / "cache"))
        env |= {"PYTHONPATH": str(PROJECT), "LIBGL_ALWAYS_SOFTWARE": "1"}
        super().__init__(folder, env, (800, 600))
        self.home = home

    def managed(self) -> None:
        manager = self.start("openbox", "--sm-disable")
        trouble = "the window manager did not come up"
        until(lambda: manager.poll() is not None or "window id" in self.root("_NET_SUPPORTING_WM_CHECK"), trouble)
        assert manager.poll() is None, f"{trouble}: {(self.folder / 'openbox.log').read_text()}"

    def root(self, name: str) -> str:
        argv = ["xprop", "-root", name]
        return subprocess.run(argv, env=self.env, capture_output=True, text=True, check=True).stdout

    def active(self) -> int:
        """The window in front, by its number."""
        number = self.root("_NET_ACTIVE_WINDOW").rpartition("# ")[2].partition(",")[0].strip()
        return int(number, 16) if number.startswith("0x") else 0

    def agent(self, name: str, *terminal: str, **more: str) -> int:
        """An agent in a terminal of its own; the number of its window once that is in front."""
        path = self.folder / name
        self.newest = self.start(*terminal, *agent(path), **more)
        return self.put(name)

    def put(self, name: str) -> int:
        path = self.folder / name
        until(path.exists, f"the agent {name} did not come up")
        known = json.loads(path.read_text())
        put(self.home, session(name, NEEDS_APPROVAL, pid=known["pid"], terminal=known["terminal"]))
        return int(known["terminal"]["WINDOWID"])

    def in_front(self, window: int) -> None:
        until(lambda: self.active() == window, f"{window:#x} is not in front")


def agent(path: Path) -> list[str]:
    return [sys.executable, "-c", AGENT, str(path)]


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Windows]:
    need("Xvfb", "openbox", "xprop", "xdotool", "xterm")
    folder = tmp_path / "screen"
    folder.mkdir()
    with Windows(folder, tmp_path / "state") as made:
        yield made


def test_the_window_of_a_terminal_comes_to_the_front_even_if_it_was_put_away(screen: Windows) -> None:
    screen.managed()
    ada = screen.agent("ada", "xterm", "-e")
    screen.in_front(ada)
    bob = screen.agent("bob", "xterm", "-e")
    screen.in_front(bob)
    found = yourturn(screen.home, "go", "ada")
    assert (found.returncode, found.stdout) == (0, "ada-name: X11\n")
    assert screen.active() == ada
    assert yourturn(screen.home, "go", "bob").returncode == 0
    assert screen.active() == bob
    screen.do("windowminimize", "--sync", str(ada))
    assert yourturn(screen.home, "go", "ada").returncode == 0
    assert screen.active() == ada


def test_a_pane_of_tmux_and_the_window_around_it_come_to_the_front(screen: Windows) -> None:
    need("tmux")
    screen.managed()
    tmux = ["tmux", "-L", "w", "-f", "/dev/null"]
    env = {**screen.env, "TMUX_TMPDIR": str(screen.folder)}
    try:
        screen.start("xterm", "-e", *tmux, "new-session", "sleep 3600", TMUX_TMPDIR=str(screen.folder))
        until(lambda: os.path.exists(f"{screen.folder}/tmux-{os.getuid()}/w"), "tmux did not come up")
        until(lambda: bool(told(env, *tmux, "list-clients", "-F", "#{client_tty}")), "nobody looks at tmux")
        wanted = told(env, *tmux, "new-window", "-d", "-P", "-F", "#{pane_id}", *agent(screen.folder / "ada"))
        around = screen.put("ada")
        other = screen.agent("bob", "xterm", "-e")
        screen.in_front(other)
        found = yourturn(screen.home, "go", "ada")
        assert (found.returncode, found.stdout) == (0, "ada-name: tmux in X11\n")
        assert told(env, *tmux, "list-clients", "-F", "#{pane_id}") == wanted
        assert screen.active() == around
    finally:
        subprocess.run([*tmux, "kill-server"], env=env, capture_output=True, check=False)


def test_wmctrl_will_do_where_there_is_no_xdotool(screen: Windows, tmp_path: Path) -> None:
    need("wmctrl")
    screen.managed()
    ada = screen.agent("ada", "xterm", "-e")
    screen.in_front(ada)
    screen.in_front(screen.agent("bob", "xterm", "-e"))
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("env", "ps", "wmctrl"):
        (tools / name).symlink_to(str(shutil.which(name)))
    assert yourturn(screen.home, "go", "ada", PATH=str(tools)).returncode == 0
    screen.in_front(ada)


def test_a_window_that_is_gone_is_named(screen: Windows) -> None:
    screen.managed()
    ada = screen.agent("ada", "xterm", "-e")
    screen.in_front(ada)
    screen.newest.terminate()
    screen.newest.wait(PATIENCE_S)
    found = yourturn(screen.home, "go", "ada")
    assert (found.returncode, found.stdout) == (1, "")
    assert "yourturn: ada-name: xdotool: " in found.stderr
    assert "BadWindow" in found.stderr


def test_without_a_window_manager_nothing_is_claimed(screen: Windows) -> None:
    screen.agent("ada", "xterm", "-e")
    found = yourturn(screen.home, "go", "ada")
    assert (found.returncode, found.stdout) == (1, "")
    assert "windowmanager" in found.stderr


@pytest.mark.parametrize(
    ("options", "name"),
    [(("-o", "allow_remote_control=socket-only"), "kitty"), ((), "X11")],
    ids=["told over its socket", "without remote control"],
)
def test_a_window_of_kitty_comes_to_the_front(options: tuple[str, ...], name: str, screen: Windows) -> None:
    need("kitty")
    screen.managed()
    listens = ("-o", f"listen_on=unix:{screen.folder}/kitty") if options else ()
    ada = screen.agent("ada", "kitty", "--config", "NONE", *options, *listens)
    screen.in_front(ada)
    screen.in_front(screen.agent("bob", "xterm", "-e"))
    found = yourturn(screen.home, "go", "ada")
    assert (found.returncode, found.stdout) == (0, f"ada-name: {name}\n"), found.stderr
    screen.in_front(ada)


def told(env: dict[str, str], *argv: str) -> str:
    return subprocess.run(argv, env=env, capture_output=True, text=True, check=False).stdout.strip()
