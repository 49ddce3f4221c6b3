"""`yourturn demo`: in a terminal and without one, until it is left, and nothing of it stays."""

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from contract import paths, status, store
from statusbar.demo.scenario import LENGTH, next_change
from support.command import YOURTURN, yourturn
from support.patience import PATIENCE_S, until
from support.project import PROJECT
from support.showing import environ, just_now, put, terminal, watcher

SECONDS = [k / 2 for k in range(int(LENGTH) * 2)]
# Told to end when its view has been started, but it does not know that yet.
TOLD_AT_ONCE = """
import os, signal, subprocess, sys
import yourturn
yourturn.find_the_rooms()
from statusbar.demo import demo
real = subprocess.Popen
def told(*words, **more):
    child = real(*words, **more)
    with open("{pid}", "w") as file:
        file.write(str(child.pid))
    os.kill(os.getpid(), signal.SIGTERM)
    return child
subprocess.Popen = told
sys.exit(yourturn.run(["demo"]))
"""
TITLE = "Speed up the"  # of a session of the demo, as far as 80 columns show it


@pytest.fixture
def scratch(tmp_path: Path) -> Iterator[Path]:
    """Where the folder of the play lies; it must be empty in the end."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    yield folder
    assert list(folder.iterdir()) == []


def test_without_a_terminal_each_scene_is_printed_once_and_it_ends(tmp_path: Path, scratch: Path) -> None:
    found = yourturn(tmp_path, "demo", "--speed", "100", TMPDIR=str(scratch))
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout.startswith("Demo: not your agents. Runs once; your own agents are not affected.")
    assert len(re.findall(r"^STATE", found.stdout, re.MULTILINE)) == len(set(map(next_change, SECONDS)))
    for words in ("▲ needs approval  shop", "tester: Bash: “dropdb", "interrupted", "error: usage limit", "▲ 1 needs"):
        assert words in found.stdout
    assert "✕" not in found.stdout


def test_in_a_terminal_it_runs_the_live_view_until_that_is_left(tmp_path: Path, scratch: Path) -> None:
    with terminal(tmp_path / "state", tmp_path) as one:
        one.start(*YOURTURN, "demo", "--speed", "8", TMPDIR=str(scratch))
        one.until("▲ needs approval", "tester", "Speed up", gone="✕")
        one.until("yourturn demo  ", "Demo: not your agents. Press q to quit.")
        one.until("interrupted", gone="✕")
        one.keys("q")
        one.until("That was the demo.", "  yourturn install", "  yourturn up", "left with 0")


def test_where_the_hooks_are_installed_nobody_is_told_to_install_them(tmp_path: Path, scratch: Path) -> None:
    (tmp_path / "claude").mkdir()
    (tmp_path / "claude" / "settings.json").write_text(f'{{"hooks": "{PROJECT}/hook.py"}}')
    with terminal(tmp_path / "state", tmp_path) as one:
        env = {"TMPDIR": str(scratch), "CLAUDE_CONFIG_DIR": str(tmp_path / "claude")}
        one.start(*YOURTURN, "demo", "--once", "--speed", "1000", **env)
        one.until("as soon as they run:", "  yourturn up", "left with 0", gone="yourturn install")


def test_up_yields_the_demo_to_the_first_agent_and_says_so(tmp_path: Path, scratch: Path) -> None:
    home = tmp_path / "state"
    put(home)
    with watcher(home), terminal(home, tmp_path) as one:
        one.start(*YOURTURN, "up", "--demo", TMPDIR=str(scratch))
        one.until("Demo: not your agents.", TITLE)
        store.replace(paths.status(str(home), "h"), status.encode(just_now("h", hidden=True)))
        one.until("needs approval", TITLE, gone="h-name")
        store.replace(paths.status(str(home), "mine"), status.encode(just_now("mine")))
        one.until("mine-name", "The demo has ended: these are your own agents.", gone=TITLE)
        one.keys("j")
        one.until("mine-name", gone="The demo has ended")
        one.keys("q")
        one.until("left with 0", gone="That was the demo")


def test_where_it_is_printed_the_demo_yields_too(tmp_path: Path, scratch: Path) -> None:
    put(tmp_path)
    argv, env = [*YOURTURN, "up", "--demo"], environ(tmp_path, TMPDIR=str(scratch))
    with (
        watcher(tmp_path),
        subprocess.Popen(argv, stdout=subprocess.PIPE, text=True, env=env, cwd=PROJECT) as one,
    ):
        assert one.stdout
        assert next(line for line in one.stdout if TITLE in line)
        store.replace(paths.status(str(tmp_path), "mine"), status.encode(just_now("mine")))
        rest = one.stdout.read()
        assert one.wait(PATIENCE_S) == 0
    assert "mine-name" in rest, "at its own end the demo shows nobody else"


def test_with_once_the_view_ends_with_the_scenario(tmp_path: Path, scratch: Path) -> None:
    with terminal(tmp_path / "state", tmp_path) as one:
        one.start(*YOURTURN, "demo", "--once", "--speed", "50", TMPDIR=str(scratch))
        one.until("left with 0")


def test_ctrl_c_ends_it(tmp_path: Path, scratch: Path) -> None:
    with terminal(tmp_path / "state", tmp_path) as one:
        one.start(*YOURTURN, "demo", TMPDIR=str(scratch))
        one.until("Speed up", "q quit")
        assert list(scratch.iterdir())
        one.keys("C-c")
        one.until("That was the demo.", "left with 130")


def test_a_terminal_that_is_closed_ends_it(tmp_path: Path, scratch: Path) -> None:
    with terminal(tmp_path / "state", tmp_path) as one:
        one.start(*YOURTURN, "demo", TMPDIR=str(scratch))
        one.until("Speed up", "q quit")
        (folder,) = scratch.iterdir()
        one.tmux("kill-server")
        until(lambda: not folder.exists(), f"the end of {folder}")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP], ids=lambda one: one.name)
def test_a_signal_ends_it_and_its_folder(number: signal.Signals, tmp_path: Path, scratch: Path) -> None:
    env = environ(tmp_path, TMPDIR=str(scratch))
    with subprocess.Popen([*YOURTURN, "demo"], stdout=subprocess.PIPE, text=True, env=env, cwd=PROJECT) as one:
        assert one.stdout
        assert next(line for line in one.stdout if "Speed up" in line)
        one.send_signal(number)
        assert one.wait(PATIENCE_S) == {signal.SIGTERM: 143}.get(number, 130)


def test_told_to_end_it_gives_the_terminal_back(tmp_path: Path, scratch: Path) -> None:
    with terminal(tmp_path / "state", tmp_path) as one:
        one.start(*YOURTURN, "demo", TMPDIR=str(scratch))
        one.until("Speed up", "q quit")
        (play,) = psutil.Process(int(one.tmux("display", "-p", "#{pane_pid}"))).children()
        (view,) = play.children()
        play.terminate()
        one.until("left with 143", gone="q quit")
        assert not view.is_running()


def test_told_to_end_while_the_view_starts_it_leaves_none(tmp_path: Path, scratch: Path) -> None:
    with terminal(tmp_path / "state", tmp_path) as one:
        one.start(sys.executable, "-c", TOLD_AT_ONCE.format(pid=tmp_path / "pid"), TMPDIR=str(scratch))
        one.until("left with 143", gone="q quit")
        assert not psutil.pid_exists(int((tmp_path / "pid").read_text()))


def test_real_state_is_not_touched(tmp_path: Path, scratch: Path) -> None:
    home = tmp_path / "state"
    assert yourturn(home, "demo", "--speed", "1000", TMPDIR=str(scratch)).returncode == 0
    assert not home.exists()


@pytest.mark.parametrize("speed", ["0", "-1", "nan", "inf", "fast"])
def test_an_impossible_speed_is_refused(speed: str, tmp_path: Path) -> None:
    found = yourturn(tmp_path, "demo", f"--speed={speed}")
    assert found.returncode == 2
    assert f"argument --speed: '{speed}' is not a number between 0.01 and 1000" in found.stderr


def test_the_terminal_is_asked_for_where_there_is_none(tmp_path: Path, scratch: Path) -> None:
    found = yourturn(tmp_path, "demo", "--front", "terminal", TMPDIR=str(scratch))
    assert (found.returncode, found.stdout) == (1, "")
    assert found.stderr == "yourturn: top needs a terminal. To print the demo as text: yourturn demo | cat\n"
    yourturn(tmp_path, "config", "front", "terminal")
    found = yourturn(tmp_path, "demo", "--speed", "1000", TMPDIR=str(scratch))
    assert (found.returncode, found.stderr) == (0, "")
    assert "Speed up" in found.stdout


def test_a_terminal_that_cannot_show_it_live_gets_it_as_text(tmp_path: Path, scratch: Path) -> None:
    with terminal(tmp_path / "state", tmp_path) as one:
        one.start(*YOURTURN, "demo", "--speed", "1000", TMPDIR=str(scratch), TERM="dumb")
        one.until("Speed up", "left with 0")


def test_without_a_bus_no_demo_is_announced_in_the_tray(tmp_path: Path, scratch: Path) -> None:
    found = yourturn(tmp_path, "demo", "--front", "tray", TMPDIR=str(scratch), DBUS_SESSION_BUS_ADDRESS="unix:path=/no")
    assert found.returncode == 1
    assert found.stderr.startswith("yourturn: no desktop session found")


@pytest.mark.parametrize(("closed", "code"), [("<&-", 0), (">&-", 1)])
def test_a_closed_stream_is_no_terminal(closed: str, code: int, tmp_path: Path, scratch: Path) -> None:
    with terminal(tmp_path / "state", tmp_path) as one:
        play = [*YOURTURN, "demo", "--speed", "1000"]
        one.start("sh", "-c", f'exec "$@" {closed}', "sh", *play, size="80x400", TMPDIR=str(scratch))
        found = one.until(f"left with {code}")
    assert "Traceback" not in found
    assert ("Speed up" if code == 0 else "yourturn: the standard output is closed") in found


def test_a_front_end_that_is_not_there_is_named(tmp_path: Path, scratch: Path) -> None:
    found = yourturn(tmp_path, "demo", "--front", "menubar", TMPDIR=str(scratch))
    assert found.returncode == 1
    assert "no menubar on this machine" in found.stderr
