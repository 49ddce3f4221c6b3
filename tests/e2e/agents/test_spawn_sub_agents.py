"""A worker's limits hold in the sub-agents that it starts. OpenCode's would not: it is not given any with limits."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from e2e.agents.clients import CLIENTS
from e2e.agents.workers import ends, spawn
from e2e.harness.patience import PATIENCE_S, until
from e2e.harness.script import play, text

if TYPE_CHECKING:
    from e2e.agents.conftest import Watch
    from e2e.agents.watched import WatchedAgents


@pytest.fixture(params=[name for name in CLIENTS if name != "opencode"])
def watched(watch: Watch, request: pytest.FixtureRequest) -> WatchedAgents:
    watched = watch(request.param)
    watched.kind.before_a_worker(watched)
    return watched


def made(watched: WatchedAgents, allow: list[str]) -> tuple[bool, bool]:
    """What a sub-agent could make that tried all that `LIMITS` are for."""
    _, may, may_not = watched.kind.LIMITS
    watched.api.scripts["kid"] = [may, may_not, text("Kid is done.", hold="kid")]
    watched.api.scripts["one"] = [watched.kind.spawn("kid", play("kid")), text("All done.", hold="end")]
    spawn(watched, play("one"), allow=allow)
    watched.reached("kid")
    found = [os.path.exists(f"{watched.place.project}/{name}") for name in ("made", "other")]
    watched.release("kid")
    watched.release("end")  # Codex does not wait for its sub-agent
    until(lambda: ends(watched) == [("completed", "completed")], PATIENCE_S, lambda: str(ends(watched)))
    return found[0], found[1]


def test_a_sub_agent_may_use_what_is_on_the_workers_list_only(watched: WatchedAgents) -> None:
    assert made(watched, [*watched.kind.LIMITS[0], "Agent"]) == (True, False)


def test_a_sub_agent_has_no_tool_that_the_worker_has_not(watched: WatchedAgents) -> None:
    assert made(watched, ["Agent", "Read"]) == (False, False)
