"""Plays a program: from what people do to what the world shows, and to the truth."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from simulator.client import Client
from simulator.world import World

if TYPE_CHECKING:
    from simulator.observation import Observation
    from simulator.program import Deed, Program
    from simulator.truth import Truth


class Played(NamedTuple):
    seen: list[Observation]
    truth: Truth
    end: float  # when the last thing happened


def play(program: Program, config: str) -> Played:
    world = World(program, config)
    people = People(world)
    for deed in program.deeds:
        world.stage.at(deed.at, lambda deed=deed: people.do(deed))  # type: ignore[misc]
    world.stage.run(world.settle)
    return Played(sorted(world.seen, key=lambda one: one.at), world.truth, world.now)


class People:
    """Whoever sits at the terminals."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._clients: dict[str, Client] = {}

    def do(self, deed: Deed) -> None:
        client = self._clients.get(deed.session)
        if deed.do == "start" or client is None:
            self._start(deed)
        elif client.is_alive:
            {"escape": client.escape, "kill": client.kill, "prompt": lambda: client.prompt(deed.script)}[deed.do]()

    def _start(self, deed: Deed) -> None:
        client = Client(self._world, deed.session)
        self._clients[deed.session] = client
        self._world.clients.append(client)
        client.start()
