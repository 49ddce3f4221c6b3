"""What every test of Copilot CLI gets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from e2e.harness.truth import waiting

if TYPE_CHECKING:
    from e2e.agents.agent import Agent
    from e2e.agents.conftest import Watch
    from e2e.agents.watched import WatchedAgents


@pytest.fixture
def watched(watch: Watch) -> WatchedAgents:
    return watch("copilot")


@pytest.fixture
def agent(watched: WatchedAgents) -> Agent:
    """One that waits for its first prompt: only its own list of open sessions tells of it."""
    started = watched.agent()
    watched.becomes("start", waiting(""))
    return started
