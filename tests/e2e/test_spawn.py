"""Agents that are started through us, with the real client."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from contract import paths
from contract.status import WORKING
from e2e.harness.script import bash, script, stay, text
from e2e.harness.spawned import COMMAND, describe, ends, lights, run
from e2e.harness.watched import ALL
from processes.identity import Identity, compare
from support.patience import until

if TYPE_CHECKING:
    from e2e.harness.watched import Watched


def test_it_is_working_from_its_first_moment_and_gone_when_it_has_ended(watched: Watched) -> None:
    describe(watched)
    told = run(watched, "--name", "first", prompt=script(text("done", hold="answer")))
    session = told["session"]
    until(lambda: list(lights(watched.seen(), session)) == [WORKING], "the row")
    watched.api.reached("answer")
    spawned = json.loads(Path(paths.spawned(watched.states[ALL], "first")).read_text())
    assert spawned["pid"] == told["pid"]
    watched.api.release("answer")
    until(lambda: list(lights(watched.seen(), session))[-1:] == [""], watched.story)
    assert next(lights(watched.seen(), session)) == WORKING
    until(lambda: ends(watched) == [("completed", "completed")], lambda: f"its end in the audit: {ends(watched)}")
    assert compare(spawned["pid"], spawned["start"]) is Identity.GONE


def test_whoever_waits_for_its_end_is_told(watched: Watched) -> None:
    describe(watched)
    told = run(watched, "--name", "first", prompt=script(text("done", hold="answer")))
    until(lambda: list(lights(watched.seen(), told["session"])) == [WORKING], "the row")
    listed = watched.run("ps", "--json")
    assert [(one["name"], one["state"]) for one in json.loads(listed.stdout)["agents"]] == [("first", "running")]
    env = {**watched.env, "YOURTURN_HOME": watched.states[ALL]}
    argv = [*COMMAND, "wait", "first", "--for", "gone", "--json"]
    with subprocess.Popen(argv, env=env, stdout=subprocess.PIPE, text=True) as waiting:
        try:
            watched.api.reached("answer")
            assert waiting.poll() is None
            watched.api.release("answer")
            answer, _ = waiting.communicate(timeout=60)
        finally:
            waiting.kill()
    assert waiting.returncode == 0
    assert "gone" in answer


def test_it_never_waits_before_its_work_is_done(watched: Watched) -> None:
    """Between its registration and its first prompt lies the start of its session: no moment to wait for a person."""
    describe(watched)
    told = run(watched, prompt=script(bash("true"), text("done", hold="answer")))
    watched.api.reached("answer")
    assert list(lights(watched.seen(), told["session"])) == [WORKING]
    watched.api.release("answer")


def test_its_last_words_come_back_and_denied_calls_are_told(watched: Watched) -> None:
    describe(watched, allow=["Read"])
    told = run(watched, "--wait", prompt=script(bash("touch forbidden"), text("the answer is 42")))
    assert (told["ok"], told["message"], told["exit"]) == (True, "the answer is 42", 0)
    assert not (Path(watched.home.project) / "forbidden").exists()


def test_what_is_denied_is_not_done(watched: Watched) -> None:
    describe(watched, deny=["Bash"], mode="bypassPermissions")
    told = run(watched, "--wait", prompt=script(bash("touch forbidden"), text("done")))
    assert told["ok"]
    assert not (Path(watched.home.project) / "forbidden").exists()


def test_an_api_error_is_no_success(watched: Watched) -> None:
    describe(watched)
    told = run(watched, "--wait", prompt=script(text("", status=400, error="invalid_request_error")))
    assert (told["ok"], told["code"]) == (False, 1)
    assert "400" in told["reason"] or "error" in told["reason"]


def test_a_time_limit_ends_it_and_its_command(watched: Watched) -> None:
    describe(watched, mode="bypassPermissions", timeout_s=8)
    door = watched.home.door("door")
    told = run(watched, "--wait", prompt=script(stay(door), text("x")))
    assert (told["ok"], told["reason"]) == (False, "timeout")
    left = [pid for pid in os.listdir("/proc") if pid.isdigit() and _reads(pid, door)]
    assert left == []


def _reads(pid: str, door: str) -> bool:
    try:
        return door.encode() in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False
