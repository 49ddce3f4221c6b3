"""What every test of Gemini CLI gets."""

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
    return watch("gemini")


@pytest.fixture
def agent(watched: WatchedAgents) -> Agent:
    """One that waits for its first prompt: what is typed before it has told of its start may be lost."""
    started = watched.agent()
    watched.hears()
    watched.becomes("start", waiting(""))
    return started
