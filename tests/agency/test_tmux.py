"""Agents in windows of tmux."""

import subprocess
from collections.abc import Iterator

import psutil
import pytest

from support.needs import need
from support.patience import until
from support.spawning import Bureau


@pytest.fixture
def tmux(bureau: Bureau) -> Iterator[list[str]]:
    """A server of its own, which ends with the test."""
    need("tmux")
    bureau.env = {**bureau.env, "TMUX_TMPDIR": str(bureau.folder)}
    yield ["tmux"]
    subprocess.run(["tmux", "kill-server"], env=bureau.env, check=False, capture_output=True)


def shown(bureau: Bureau, tmux: list[str], pane: str) -> str:
    words = [*tmux, "capture-pane", "-p", "-t", pane]
    return subprocess.run(words, env=bureau.env, capture_output=True, text=True, check=False).stdout


def panes(bureau: Bureau, tmux: list[str]) -> list[str]:
    words = [*tmux, "list-panes", "-a", "-F", "#{pane_id}"]
    return subprocess.run(words, env=bureau.env, capture_output=True, text=True, check=False).stdout.split()


def test_it_runs_in_a_window_and_has_the_terminal(bureau: Bureau, tmux: list[str]) -> None:
    script = f"test -t 0 && echo has a terminal; read line < {bureau.door('x')}"
    agent = bureau.spawn("--tmux", "--name", "x", "--", "sh", "-c", script)
    (pane,) = panes(bureau, tmux)
    until(lambda: "has a terminal" in shown(bureau, tmux, pane), "its words")
    assert bureau.living() == ["x"]
    bureau.open("x")
    bureau.until_gone("x")
    until(lambda: not psutil.pid_exists(agent.keeper), "the end of its keeper")


def test_a_refusal_comes_back_to_whoever_asked(bureau: Bureau, tmux: list[str]) -> None:
    bureau.waiting("x")
    done = bureau.run("spawn", "--tmux", "--name", "x", "--", "true")
    assert done.returncode == 3
    assert "an agent named x is running already" in done.stderr


def test_nothing_of_the_request_is_in_arguments_or_left_on_disk(bureau: Bureau, tmux: list[str]) -> None:
    (bureau.folder / "tmp").mkdir()
    bureau.env["TMPDIR"] = str(bureau.folder / "tmp")
    bureau.env["WORD"] = "hunter2"
    agent = bureau.waiting("x", "--tmux")
    assert psutil.Process(agent.pid).environ()["WORD"] == "hunter2"
    line = " ".join(word for process in psutil.Process(agent.keeper).parents()[:1] for word in process.cmdline())
    assert "hunter2" not in line + " ".join(psutil.Process(agent.keeper).cmdline())
    assert list((bureau.folder / "tmp").iterdir()) == []
