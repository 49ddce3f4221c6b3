"""A worker of each client that is ended while it works: nothing of it is left, and its end is told."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import psutil
import pytest

from e2e.agents.clients import CLIENTS
from e2e.agents.workers import ends, left, run, spawn
from e2e.harness.patience import PATIENCE_S, until
from e2e.harness.place import entered
from e2e.harness.script import play, text

if TYPE_CHECKING:
    from e2e.agents.conftest import Watch
    from e2e.agents.watched import WatchedAgents


@pytest.fixture(params=CLIENTS)
def watched(watch: Watch, request: pytest.FixtureRequest) -> WatchedAgents:
    watched = watch(request.param)
    watched.kind.before_a_worker(watched)
    return watched


def is_gone(watched: WatchedAgents, session: str) -> None:
    until(lambda: not left(session), PATIENCE_S, lambda: f"{left(session)} outlived it")
    until(lambda: not watched.sessions(), PATIENCE_S, watched.story)


def test_one_that_is_killed_in_a_command_leaves_nothing(watched: WatchedAgents) -> None:
    door = watched.place.door("proj/door")
    rules, step = watched.kind.busy(door)
    watched.api.scripts["one"] = [step, text("not said")]
    told = spawn(watched, play("one"), allow=rules)
    with entered(door):
        assert len(left(told["session"])) > 1, "looked at nothing"
        done = run(watched, "kill", "first", "--tree", "--yes", "--grace", "2")
        assert done.returncode == 0, done
        is_gone(watched, told["session"])
    until(lambda: "killed" in dict(ends(watched)), PATIENCE_S, watched.story)


def test_one_that_gets_a_signal_of_somebody_else_leaves_nothing(watched: WatchedAgents) -> None:
    watched.api.scripts["one"] = [text("not said", hold="model")]
    told = spawn(watched, play("one"))
    watched.reached("model")
    psutil.Process(told["pid"]).send_signal(signal.SIGTERM)
    is_gone(watched, told["session"])
    until(lambda: [outcome for outcome, _ in ends(watched)] == ["failed"], PATIENCE_S, lambda: str(ends(watched)))


def test_one_that_is_killed_while_it_thinks_leaves_nothing(watched: WatchedAgents) -> None:
    watched.api.scripts["one"] = [text("not said", hold="model")]
    told = spawn(watched, play("one"))
    watched.reached("model")
    done = run(watched, "kill", "first", "--yes", "--grace", "2")
    assert (done.returncode, "ended" in done.stdout) == (0, True), done
    is_gone(watched, told["session"])
    until(lambda: "killed" in dict(ends(watched)), PATIENCE_S, lambda: str(ends(watched)))
