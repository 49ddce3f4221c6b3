"""A dialog of an agent of which no hook tells: only the registry says that somebody is asked, for the main agent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simulator.outlet import UNASKED
from simulator.truth import Episode

if TYPE_CHECKING:
    from simulator.agent import Agent
    from simulator.dialog import Dialog

FOLLOWS = "a dialog that nothing tells of follows another one"


def untold(agent: Agent, dialog: Dialog) -> None:
    """Its session is asked, and nobody can know that it is this agent."""
    world, client = agent.world, agent.shows_its_requests
    episodes = [world.truth.begin(UNASKED, key, world.now) for key in agent.rows]
    follows = client.dialogs.shown is not None

    def opens(_: str) -> None:
        client.main.forms += 1
        if follows:
            world.truth.episodes.append(Episode(FOLLOWS, client.main.truth_key, world.now, world.now))
        dialog.answered.wait(closes)

    def closes(_: str) -> None:
        client.main.forms -= 1

    def ends(_: str) -> None:
        for episode in episodes:
            episode.end = world.now

    if world.program.registry:
        dialog.opened.wait(opens)
    dialog.answered.wait(ends)
