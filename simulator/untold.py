"""A dialog of an agent of which no hook tells: only the registry says that somebody in a process is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simulator.outlet import ITS_ASK, UNASKED
from simulator.truth import Episode

if TYPE_CHECKING:
    from simulator.agent import Agent
    from simulator.client import Client
    from simulator.dialog import Dialog

FOLLOWS = "a dialog that nothing tells of follows another one"


def untold(agent: Agent, dialog: Dialog) -> None:
    """Whoever shows it is asked, and nobody can know for whom."""
    world, client = agent.world, agent.shows_its_requests
    label, main = client.label, client.main.truth_key
    episodes = [world.truth.begin(UNASKED, key, world.now, is_alone=key[0] != label) for key in agent.rows]
    episodes.append(world.truth.begin(ITS_ASK, main, world.now))
    if client.dialogs.shown:
        dialog.opened.wait(lambda _: _follows(client))

    def ends(_: str) -> None:
        for episode in episodes:
            episode.end = world.now

    dialog.answered.wait(ends)


def untold_form(main: Agent, dialog: Dialog, began: float) -> None:
    """A server's question: the registry says that somebody is asked, and that may be whoever else asks."""
    world = main.world
    episode = world.truth.begin(UNASKED, main.truth_key, began)
    if main.client.dialogs.shown:
        dialog.opened.wait(lambda _: _follows(main.client))

    def ends(_: str) -> None:
        episode.end = world.now

    dialog.answered.wait(ends)


def _follows(client: Client) -> None:
    now = client.world.now
    client.world.truth.episodes.append(Episode(FOLLOWS, (client.label, ""), now, now))
