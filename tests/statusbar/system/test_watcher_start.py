"""A watcher that is gone, and front ends that bring it back: real kills, real starts."""

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import psutil
import pytest

from contract import launch, paths, store
from contract.pulse import Watcher
from contract.status import NEEDS_APPROVAL
from statusbar.menu.controller import Controller
from statusbar.menu.model import Menu
from statusbar.model import reader
from statusbar.model.live import Live
from statusbar.system import watcher_start
from statusbar.system.watcher_start import WatcherStart
from support.builders import ask, call, event
from support.patience import PATIENCE_S, until
from support.project import PROJECT
from support.showing import RESTS, STATUSBAR, put, rest, session, terminal
from support.watching import Scene

BASH = {"command": "npm test"}
UP = "import sys, yourturn; yourturn.PATIENCE_S = float(sys.argv[1]); sys.exit(yourturn.main(['up']))"
YOURTURN = [sys.executable, str(PROJECT / "yourturn.py")]
NO_SUCH_EVIDENCE = {"YOURTURN_EVIDENCE": "tea leaves"}  # a watcher that cannot start


def asking(scene: Scene) -> "subprocess.Popen[bytes]":
    """A session that asks, and a watcher that says so; its client."""
    client = scene.client()
    scene.hook(client, event("UserPromptSubmit", prompt="x"))
    scene.hook(client, call("PreToolUse", "t", given=BASH))
    scene.hook(client, ask(BASH))
    scene.watcher("--until-idle")
    scene.becomes(NEEDS_APPROVAL)
    return client


def blocked(scene: Scene) -> "subprocess.Popen[bytes]":
    """The same, and the watcher was killed."""
    client = asking(scene)
    kill(scene)
    return client


def kill(scene: Scene) -> None:
    beat = until(scene.beat)
    os.kill(beat.pid, signal.SIGKILL)
    until(lambda: not store.is_locked(paths.watcher_lock(scene.state)))


@contextmanager
def nobody_starts_one(scene: Scene) -> Iterator[None]:
    """As if one had just been started, for the hundredth time in a row: what is old can be looked at in peace."""
    note = Path(paths.starting_lock(scene.state))
    note.write_text(f"99 {time.time()}")
    yield
    note.write_text("")


def words(scene: Scene, *argv: str, **env: str) -> "subprocess.CompletedProcess[str]":
    full = {**scene.env, "LANG": "C.UTF-8", **env}
    nothing = subprocess.DEVNULL
    return subprocess.run(
        [*YOURTURN, *argv], env=full, stdin=nothing, capture_output=True, text=True, check=False, timeout=PATIENCE_S
    )


class Lines:
    """What a command prints, line by line, as it comes."""

    def __init__(self, stream: IO[str]) -> None:
        self.heard: queue.Queue[str] = queue.Queue()
        self.seen: list[str] = []
        threading.Thread(target=self._listen, args=(stream,), daemon=True).start()

    def _listen(self, stream: IO[str]) -> None:
        for line in stream:
            self.heard.put(line)

    def until(self, wanted: str) -> list[str]:
        """All lines up to the one with these words."""
        seen: list[str] = []
        while not seen or wanted not in seen[-1]:
            seen.append(self.heard.get(timeout=PATIENCE_S))
        return seen


@contextmanager
def staying(scene: Scene, *argv: str) -> Iterator[Lines]:
    env = {**scene.env, "LANG": "C.UTF-8"}
    with subprocess.Popen([*STATUSBAR, *argv], env=env, cwd=PROJECT, stdout=subprocess.PIPE, text=True) as one:
        assert one.stdout
        try:
            yield Lines(one.stdout)
        finally:
            one.kill()


@pytest.mark.parametrize("argv", [("line", "--follow"), ("status", "--watch")])
def test_a_front_end_that_stays_brings_it_back_and_shows_what_is_old_until_then(
    argv: tuple[str, ...], scene: Scene
) -> None:
    client = asking(scene)
    with staying(scene, *argv) as lines:
        asked = "▲ 1 needs you" if argv[0] == "status" else "▲1"
        lines.until(asked)
        with nobody_starts_one(scene):
            kill(scene)
            scene.hook(client, call("PostToolUse", "t", given=BASH))  # nobody hears it, and it starts no watcher
            lines.until("state unknown since")
        lines.until("● 1 working" if argv[0] == "status" else "●1")
    assert scene.status() == "working"


def test_notify_brings_it_back(scene: Scene) -> None:
    client = blocked(scene)
    with staying(scene, "notify"):
        until(lambda: store.is_locked(paths.watcher_lock(scene.state)))
        scene.hook(client, call("PostToolUse", "t", given=BASH))
        scene.becomes("working")


def test_top_brings_it_back(scene: Scene, tmp_path: Path) -> None:
    client = blocked(scene)
    with terminal(Path(scene.state), tmp_path) as one:
        one.start(*STATUSBAR, "top", HOME=str(scene.home), YOURTURN_NO_WATCHER="0")
        one.until("1 needs you", "npm test", gone="state unknown")
        with nobody_starts_one(scene):
            kill(scene)
            one.until("▲? needed approval", "state unknown since")
        scene.hook(client, call("PostToolUse", "t", given=BASH))
        one.until("1 working", gone="state unknown")


def test_tray_and_menubar_bring_it_back(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    asking(scene)
    monkeypatch.setenv("HOME", str(scene.home))
    monkeypatch.delenv("YOURTURN_NO_WATCHER")
    menus: queue.Queue[Menu] = queue.Queue()

    def until_face(face: str) -> Menu:
        while (found := menus.get(timeout=PATIENCE_S)).face != face:
            pass
        return found

    with Controller(scene.state, menus.put):
        until_face(NEEDS_APPROVAL)
        with nobody_starts_one(scene):
            kill(scene)
            old = until_face("trouble")
        assert old.title == "✕ ▲1"
        assert old.words.startswith("state unknown")
        assert old.items[1].title.startswith("▲? ")
        assert until_face(NEEDS_APPROVAL).title == "▲1"


# Commands that print once


@pytest.mark.parametrize("argv", [("status",), ("status", "--json"), ("line",), ("explain",)])
def test_a_command_that_prints_once_starts_it_says_so_and_never_looks_calm(argv: tuple[str, ...], scene: Scene) -> None:
    blocked(scene)
    found = words(scene, *argv)
    assert found.returncode == 0
    assert found.stderr == f"{watcher_start.STARTED}\n"
    assert "state unknown" in found.stdout or '"known": false' in found.stdout or "npm test" in found.stdout
    scene.becomes(NEEDS_APPROVAL)
    until(lambda: reader.read(scene.state).is_well(time.time()))
    again = words(scene, *argv)
    assert again.stderr == ""
    assert "npm test" in again.stdout
    assert "unknown since" not in again.stdout


def test_it_does_not_wait_for_ever_for_a_watcher_that_takes_its_time(tmp_path: Path) -> None:
    """The starting lock is held by nobody who would ever start anything."""
    put(tmp_path, session("a"))
    held = store.take(paths.starting_lock(str(tmp_path)))
    assert watcher_start.read(str(tmp_path), {}).watcher(time.time()) is Watcher.STARTING
    assert held
    os.close(held)


def test_a_command_in_a_tight_loop_keeps_the_pause_of_all_others(scene: Scene) -> None:
    blocked(scene)
    with nobody_starts_one(scene):
        said = [words(scene, "status", "--json").stderr for _ in range(2)]
    assert said == ["", ""]
    assert words(scene, "status", "--json").stderr == f"{watcher_start.STARTED}\n"
    until(lambda: reader.read(scene.state).is_well(time.time()))  # the scene ends only whom it can find


def test_nobody_is_started_where_that_is_forbidden(scene: Scene) -> None:
    blocked(scene)
    found = words(scene, "status", YOURTURN_NO_WATCHER="1")
    assert "▲? needed approval" in found.stdout
    assert "No watcher is running: state unknown since" in found.stdout
    assert found.stderr == ""
    assert not Path(paths.starting_lock(scene.state)).exists()


def test_nobody_is_started_where_nothing_points_to_an_agent_but_where_hooks_are_installed(scene: Scene) -> None:
    assert words(scene, "status").stderr == ""
    assert not Path(scene.state).exists(), "the status bar writes no state"
    Path(scene.state).mkdir()
    assert words(scene, "status").stderr == ""
    assert list(Path(scene.state).iterdir()) == []
    settings = scene.home / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text(json.dumps({"hooks": {"Stop": [f"python3 {PROJECT}/hook.py"]}}))
    assert words(scene, "status").stderr == f"{watcher_start.STARTED}\n"
    until(scene.beat)


def test_where_other_machines_are_looked_at_it_is_known_how_this_one_is(scene: Scene) -> None:
    """Else a board for others would say for ever that it knows nothing."""
    hosts = Path(scene.env["YOURTURN_HOME"]) / "hosts.toml"
    hosts.parent.mkdir(parents=True, exist_ok=True)
    hosts.write_text("")
    assert watcher_start._has_reason(reader.read(scene.state), scene.env)
    hosts.unlink()
    assert not watcher_start._has_reason(reader.read(scene.state), scene.env)


def test_a_watcher_that_rests_is_left_alone(scene: Scene) -> None:
    rest(Path(scene.state))
    found = words(scene, "status")
    assert found.stdout.startswith("No agent is running")
    assert found.stderr == ""


def test_up_starts_it_and_prints_what_the_new_one_says(scene: Scene) -> None:
    blocked(scene)
    argv, nothing = [sys.executable, "-c", UP, str(PATIENCE_S)], subprocess.DEVNULL
    env = {**scene.env, "LANG": "C.UTF-8"}
    found = subprocess.run(argv, env=env, cwd=PROJECT, stdin=nothing, capture_output=True, text=True, check=True)
    assert "▲ needs approval" in found.stdout
    assert "yourturn up" not in found.stdout
    assert "unknown" not in found.stdout


# The pause between two starts


def test_each_start_makes_the_next_one_wait_longer_and_all_who_ask_share_the_pause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launch, "_spawn", lambda *_: 77)

    def started(second: float) -> int:
        """How many of three front ends start one."""
        return [launch.start_again(str(tmp_path), {}, 1000.0 + second) for _ in range(3)].count(77)

    assert [second for second in range(200) for _ in range(started(second))] == [0, 5, 15, 35, 75, 155]
    later = 155 + launch.FORGOTTEN_S + 1
    assert (started(later), started(later + 5)) == (1, 1), "long ago is forgotten"
    assert started(later - 5000) == 1, "the clock was set back"


@pytest.mark.parametrize("note", [b"", b"x y", b"1", b"-5 nan", b"9" * 64])
def test_a_note_that_cannot_be_read_forbids_nothing(
    note: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launch, "_spawn", lambda *_: 77)
    Path(paths.starting_lock(str(tmp_path))).write_bytes(note)
    assert launch.start_again(str(tmp_path), {}, 1000.0) == 77


def test_a_watcher_that_ended_is_no_zombie_of_the_front_end_that_started_it(scene: Scene) -> None:
    blocked(scene)
    before = {child.pid for child in psutil.Process().children()}
    env = {**scene.env, **NO_SUCH_EVIDENCE}
    one, now = WatcherStart(scene.state, env), time.time()
    assert one.look(reader.read(scene.state), now)
    (child,) = [child for child in psutil.Process().children() if child.pid not in before]

    def is_gone() -> bool:
        assert not one.look(reader.read(scene.state), now), "no time has passed: it starts no other one"
        return not psutil.pid_exists(child.pid)

    until(is_gone)


def test_a_state_folder_that_is_gone_is_not_made_again(tmp_path: Path) -> None:
    with Live(str(tmp_path / "none"), env={}) as live:
        live.look()
    assert not (tmp_path / "none").exists()


def test_a_play_has_no_watcher_to_bring_back(tmp_path: Path) -> None:
    put(tmp_path, session("a"))
    one = WatcherStart(str(tmp_path), {"YOURTURN_DEMO": "demo"})
    assert not one.look(reader.read(str(tmp_path)), RESTS.beat)
