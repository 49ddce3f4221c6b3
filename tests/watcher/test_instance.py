"""One watcher for each state folder, and the newest version of it."""

import json
import os
import signal
import subprocess
from pathlib import Path

from contract import paths, status, store
from support.builders import HOOK, call, hook_env
from support.patience import PATIENCE_S, until
from support.watching import WATCH, Scene

BEATS_ONCE = "import watcher.daemon as daemon; daemon.BEAT_S = 3600.0"
UNHURRIED = f"import watcher.instance as instance; instance.PATIENCE_S = {PATIENCE_S}"


def test_of_two_watchers_started_at_once_one_stays(scene: Scene) -> None:
    for _ in range(12):
        both = [scene.watcher("--until-idle"), scene.watcher("--until-idle")]
        beat = until(scene.beat)
        loser = next(w for w in both if w.pid != beat.pid)
        assert loser.wait(PATIENCE_S) == 0
        winner = next(w for w in both if w.pid == beat.pid)
        assert winner.poll() is None
        winner.kill()
        winner.wait()
        os.unlink(paths.heartbeat(scene.state))


def test_a_second_watcher_says_that_one_runs_already(scene: Scene) -> None:
    scene.watcher()
    until(scene.beat)
    second = subprocess.run(WATCH, env=scene.env, capture_output=True, check=False)
    assert second.returncode == 1
    assert b"runs already" in second.stderr


def test_a_newer_version_replaces_an_older_one(scene: Scene) -> None:
    old = scene.watcher(prelude=BEATS_ONCE)
    beat = until(scene.beat)
    store.replace(
        paths.heartbeat(scene.state), status.encode(status.Heartbeat(beat.pid, beat.start, "0.0.1", beat.beat))
    )
    new = scene.watcher(prelude=UNHURRIED)
    assert old.wait(PATIENCE_S) == 0
    assert until(lambda: (b := scene.beat()) and b.pid == new.pid)


def test_a_service_takes_the_place_of_a_watcher_that_a_hook_started(scene: Scene) -> None:
    old = scene.watcher("--until-idle")
    until(scene.beat)
    new = scene.watcher("--replace", prelude=UNHURRIED)
    assert old.wait(PATIENCE_S) == 0
    assert until(lambda: (b := scene.beat()) and b.pid == new.pid)


def test_a_heartbeat_that_names_a_stranger_ends_nobody(scene: Scene) -> None:
    stranger = scene.client()
    store.private_folder(scene.state)
    lock = store.take(paths.watcher_lock(scene.state))
    assert lock is not None
    store.replace(paths.heartbeat(scene.state), status.encode(status.Heartbeat(stranger.pid, "1", "0.0.1", 0.0)))
    assert scene.watcher("--replace").wait(PATIENCE_S) == 1
    assert stranger.poll() is None
    os.close(lock)


def test_hooks_that_race_start_one_watcher_without_the_clients_secrets(scene: Scene) -> None:
    client = scene.client()
    env = hook_env(scene.home, CLAUDE_PID=str(client.pid), CLAUDE_CODE_CHILD_SESSION="1", SOMETHING="swordfish")
    del env["YOURTURN_NO_WATCHER"]
    payloads = [call("PreToolUse", f"t{k}") for k in range(32)]
    racing = [subprocess.Popen(HOOK, stdin=subprocess.PIPE, env=env) for _ in payloads]
    for one, payload in zip(racing, payloads, strict=True):
        assert one.stdin
        one.stdin.write(json.dumps(payload).encode())
        one.stdin.close()
    assert {one.wait() for one in racing} == {0}
    beat = until(scene.beat)
    environ = Path(f"/proc/{beat.pid}/environ").read_bytes()
    assert b"CLAUDE_CODE_CHILD_SESSION" not in environ
    assert b"swordfish" not in environ
    assert os.getsid(beat.pid) == beat.pid, "it is in a session of its own"
    scene.becomes("working")
    assert scene.log().count("watching: pid") == 1
    assert not store.is_locked(paths.starting_lock(scene.state))
    os.kill(beat.pid, signal.SIGTERM)
    until(lambda: not store.is_locked(paths.watcher_lock(scene.state)))
