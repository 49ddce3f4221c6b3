"""Plays a program: from what people do to what the world shows, and to the truth."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from simulator.clients.people import People as OtherPeople
from simulator.observation import Jump, Restart
from simulator.people import People
from simulator.world import World

if TYPE_CHECKING:
    from collections.abc import Callable

    from simulator.observation import Observation
    from simulator.program import Program
    from simulator.truth import Truth


NOWHERE = "/nowhere"


class Played(NamedTuple):
    seen: list[Observation]
    truth: Truth
    end: float  # when the last thing happened


def play(program: Program, config: str) -> Played:
    world = World(program, config)
    return _played(world, world.settle)


def rehearse(program: Program) -> Played:
    """To see what happens when: no file is meant, and nobody asks for the truth, which takes half of the time."""
    world = World(program, NOWHERE)
    return _played(world, world.follow)


def _played(world: World, after_each_event: Callable[[], None]) -> Played:
    program = world.program
    people = People(world) if program.client == "claude" else OtherPeople(world)
    for deed in program.deeds:
        world.stage.at(deed.at, lambda deed=deed: people.do(deed))  # type: ignore[misc]
    for fault in program.faults:
        if fault.kind == "restart":
            world.show(Restart(fault.at))
        elif fault.kind == "jump":
            world.show(Jump(fault.at, fault.seconds))
    world.stage.run(after_each_event)
    return Played(sorted(world.seen, key=lambda observation: observation.at), world.truth, world.now)
