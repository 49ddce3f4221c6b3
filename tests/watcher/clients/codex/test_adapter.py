"""The daemon's sessions through the real loop: a process that is called as the daemon is, and its socket."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from contract import facts, paths, store
from contract.facts import Fact, Stamp
from processes.identity import start_of
from recorder.receive import keep
from support.codex_daemon import thread
from support.patience import until
from support.project import PROJECT, TESTS
from watcher.clock import BOOT
from watcher.loop import Watch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from support.watching import Scene

CODE = """import sys
sys.path[:0] = {paths!r}
from support.codex_daemon import main
main({folder!r}, "2")
"""
UNLOADED = "01a1e3c5-d222-77d1-b9a2-999999999999"


@contextmanager
def daemon(home: Path) -> Iterator[subprocess.Popen[bytes]]:
    """With two threads at rest."""
    (home / "app-server").write_text(CODE.format(paths=[str(PROJECT), str(TESTS)], folder=str(home / ".codex")))
    pipe = subprocess.PIPE
    with subprocess.Popen(
        ["codex", "app-server"], executable=sys.executable, cwd=home, stdin=pipe, stdout=pipe
    ) as process:
        assert process.stdout
        assert process.stdin
        assert process.stdout.readline() == b"ready\n"
        try:
            yield process
        finally:
            process.stdin.close()


def told(scene: Scene, pid: int, session: str, ago: float) -> None:
    """A hook of the daemon's has told of a prompt, so many seconds ago."""
    payload = {
        "session_id": session, "hook_event_name": "UserPromptSubmit", "cwd": "/home/me/proj", "turn_id": "t",
        "transcript_path": f"{scene.home}/.codex/sessions/2026/11/16/rollout-x-{session}.jsonl",
    }  # fmt: skip
    keep(scene.state, scene.env, payload, Stamp((time.time() - ago, time.clock_gettime(BOOT) - ago)), "codex")
    path = paths.fact(scene.state, session, "main")
    fact = facts.decode(Path(path).read_bytes())
    assert isinstance(fact, Fact)
    assert fact.client is not None
    fact.client.pid, fact.client.start = pid, start_of(pid) or ""
    store.replace(path, facts.encode(fact))


def test_its_threads_are_sessions_and_one_that_it_has_unloaded_is_none(scene: Scene) -> None:
    with daemon(scene.home) as process:
        watch = Watch(scene.state, scene.env)
        told(scene, process.pid, UNLOADED, ago=60.0)
        watch.look_at_all()
        assert scene.status(UNLOADED), "as long as nobody says otherwise"

        def are_listed() -> bool:
            time.sleep(watch.rest(watch.clock.tick()))
            watch.look_at_all()
            return len(scene.statuses()) == 2 and not scene.status(UNLOADED)

        until(are_listed)
        found = scene.statuses()
        assert set(found) == {thread(0)["id"], thread(1)["id"]}
        assert {(one.status, one.hidden, one.unseen, one.pid) for one in found.values()} == {
            ("waiting", True, True, process.pid)
        }


def test_one_whose_hooks_have_just_spoken_is_not_given_up(scene: Scene) -> None:
    with daemon(scene.home) as process:
        watch = Watch(scene.state, scene.env)

        def is_listed() -> bool:
            time.sleep(watch.rest(watch.clock.tick()))
            watch.look_at_all()
            return len(scene.statuses()) == 2

        until(is_listed)
        told(scene, process.pid, UNLOADED, ago=0.0)
        watch.look_at_all()
        assert scene.status(UNLOADED) == "working"


def test_a_line_in_a_rollout_is_heard_though_its_name_is_not_the_sessions(scene: Scene) -> None:
    watch = Watch(scene.state, scene.env)
    told(scene, os.getpid(), UNLOADED, ago=0.0)
    watch.look_at_all()
    assert scene.status(UNLOADED) == "working"
    path = scene.home / f".codex/sessions/2026/11/16/rollout-x-{UNLOADED}.jsonl"
    path.parent.mkdir(parents=True)
    failed = {"type": "task_complete", "error": {"codex_error_info": "bad_request"}}
    stamp = datetime.now(UTC).isoformat().replace("+00:00", "Z")
    path.write_text(json.dumps({"timestamp": stamp, "type": "event_msg", "payload": failed}) + "\n")
    watch.look_at([str(path)])
    assert scene.status(UNLOADED) == "waiting"
